import { ts } from "ts-morph";
import type { TupleElement, TypeModel } from "../../../model/type.ts";
import { docOf } from "../../base/reading.ts";
import { part, type Site, type TypeContext } from "../../base/type-context.ts";
import { applyLayers, narrowingTags } from "../written/apply-layers.ts";
import { unsupported } from "../unsupported.ts";
import { writtenAt, type Written } from "../written/type-bindings.ts";
import { openType, type Layer } from "../written/written.ts";

/** Reads a tuple; a comment in front of a named element describes the element. */
export function readTuple(
  context: TypeContext,
  type: ts.TupleTypeReference,
  node: ts.TypeNode | undefined,
  site: Site,
): TypeModel {
  const { checker } = context.reading;
  const types = checker.getTypeArguments(type);
  const { elementFlags, labeledElementDeclarations: labels } = type.target;
  const elements: TupleElement[] = [];
  let rest: TypeModel | undefined;
  const written = writtenAt(node, site);
  const opened = written === undefined ? undefined : openType(context, written);
  for (const [index, item] of types.entries()) {
    const flag = elementFlags[index] ?? ts.ElementFlags.Required;
    const label = labels?.[index];
    const optional = (flag & ts.ElementFlags.Optional) !== 0;
    const isRest = (flag & ts.ElementFlags.Variable) !== 0;
    const layers = label === undefined ? [] : labelLayers(context, label);
    const inner: Site = {
      ...part(site, node),
      ...(optional && { mayMiss: true as const }),
      bindings: opened?.bindings,
      overrides: narrowingTags(layers),
    };
    if (rest !== undefined && !isRest) return unsupported(context, type, site, "put the rest element last");
    const read = context.read(item, elementNode(opened, index, types.length), inner);
    const model = applyLayers(context, item, read, layers, { ...inner, overrides: new Set() });
    if (isRest) rest = model;
    else {
      const name = label === undefined ? undefined : label.name.getText();
      elements.push({
        type: model,
        ...(optional ? { optional: true as const } : {}),
        ...(name === undefined ? {} : { name }),
      });
    }
  }
  return { kind: "tuple", elements, ...(rest === undefined ? {} : { rest }) };
}

function labelLayers(context: TypeContext, label: ts.NamedTupleMember | ts.ParameterDeclaration): readonly Layer[] {
  const doc = docOf(label);
  if (doc === undefined) return [];
  context.ledger.meet(label, doc);
  return [{ doc, declaration: label, use: label, subject: `Element \`${label.name.getText()}\`` }];
}

/** The node of an element, or of the items of a rest element. */
function elementNode(opened: Written | undefined, index: number, count: number): ts.TypeNode | undefined {
  const node = opened?.node;
  if (node === undefined || !ts.isTupleTypeNode(node) || node.elements.length !== count) return undefined;
  const element = node.elements[index];
  if (element === undefined) return undefined;
  if (ts.isNamedTupleMember(element))
    return element.dotDotDotToken === undefined ? element.type : itemNode(element.type);
  if (ts.isRestTypeNode(element)) return itemNode(element.type);
  return ts.isOptionalTypeNode(element) ? element.type : element;
}

function itemNode(node: ts.TypeNode): ts.TypeNode | undefined {
  return ts.isArrayTypeNode(node) ? node.elementType : undefined;
}
