import { ts } from "ts-morph";
import { docOf } from "../../base/reading.ts";
import { isPlatformFile, tenonSymbol } from "../../base/tenon-symbols.ts";
import { constraintTags, listTags } from "../../base/tag-names.ts";
import type { Doc, DocTag } from "../../base/tsdoc.ts";
import { remembered, type Bindings, type TypeContext } from "../../base/type-context.ts";
import { typeDocOf } from "../../comments/param-tags.ts";
import { isClosed } from "./closed.ts";
import { takenBranch } from "./conditional-branch.ts";
import { indexedPart } from "./indexed-part.ts";
import { inferredParts } from "./inferred-parts.ts";
import { inlineDoc } from "./inline-doc.ts";
import { docAt } from "./kept-type.ts";
import { namedBy } from "./named-by.ts";
import { keptProperty } from "./property-source.ts";
import { bindingsWithin, boundType, joined, noBindings, ownBindings, type Written } from "./type-bindings.ts";
import { queriedFunction, returnedType, writtenForValue } from "./written-values.ts";

/** A comment about a type: that of an alias or enum by which it is used, or one in front of the type itself. */
export interface Layer {
  readonly doc: Doc;
  /** The declaration that the comment belongs to. */
  readonly declaration: ts.Node;
  /** The node that uses the commented declaration, such as the reference to an alias. */
  readonly use: ts.Node;
  /** Symbol of the alias, if the comment belongs to one. */
  readonly symbol?: ts.Symbol;
  /** Subject for a message, for example ``Type `Email` ``. */
  readonly subject: string;
}

/** A written type, resolved: the comments on the way, outermost first, and the final node. */
export interface Opened extends Written {
  readonly layers: readonly Layer[];
  /** A `Readonly<T>` that was followed; the compiler has a type of its own for it. */
  readonly whole?: ts.TypeNode;
}

/** Maximum length of a chain of aliases; longer chains are endless. */
const longestChain = 60;

/** Follows names, type parameters, parentheses and indexes from a node to the node of the type that they mean. */
export function openType(context: TypeContext, written: Written): Opened {
  return remembered(context, "opened", written, () => follow(context, written));
}

function follow(context: TypeContext, written: Written): Opened {
  const layers: Layer[] = [];
  let step: Written | undefined = written;
  let last = written;
  let whole: ts.TypeNode | undefined;
  for (let length = 0; step !== undefined && length < longestChain; length += 1) {
    last = step;
    if (ts.isTypeReferenceNode(step.node) && step.node.typeName.getText() === "Readonly") whole ??= step.node;
    const inline = inlineDoc(context, step.node);
    if (inline !== undefined)
      layers.push({ doc: inline, declaration: step.node, use: step.node, subject: `Type \`${shortText(step.node)}\`` });
    step = nextStep(context, step, layers);
  }
  return { ...last, layers, ...(whole !== undefined && { whole }) };
}

function nextStep(context: TypeContext, { node, bindings }: Written, layers: Layer[]): Written | undefined {
  if (ts.isParenthesizedTypeNode(node)) return { node: node.type, bindings };
  if (ts.isTypeOperatorNode(node))
    return node.operator === ts.SyntaxKind.ReadonlyKeyword ? { node: node.type, bindings } : undefined;
  if (ts.isIndexedAccessTypeNode(node)) return openIndex(context, { node, bindings }, layers);
  if (ts.isTypeQueryNode(node)) return openQuery(context, node, layers);
  if (ts.isConditionalTypeNode(node)) return openConditional(context, { node, bindings }, layers);
  const symbol = namedBy(context, node);
  if (symbol === undefined) return undefined;
  if ((symbol.flags & ts.SymbolFlags.TypeParameter) !== 0) return bindings.get(symbol);
  const declaration = symbol.declarations?.find(
    (one) => ts.isTypeAliasDeclaration(one) || ts.isEnumDeclaration(one) || ts.isEnumMember(one),
  );
  if (symbol.declarations?.some((one) => isPlatformFile(context.reading, one.getSourceFile())) === true)
    return openUtility(context, { node, bindings });
  if (declaration === undefined || tenonSymbol(context.reading, symbol) !== undefined) return undefined;
  const doc = typeDocOf(declaration);
  if (doc !== undefined) layers.push({ doc, declaration, use: node, symbol, subject: `Type \`${symbol.name}\`` });
  if (!ts.isTypeAliasDeclaration(declaration)) return undefined;
  return { node: declaration.type, bindings: joined(bindings, ownBindings(context, declaration, node, bindings)) };
}

/** Utility types whose result is the same as their argument, or a part of it. */
const transparent: ReadonlySet<string> = new Set([
  "NonNullable",
  "Readonly",
  "NoInfer",
  "Exclude",
  "Extract",
  "Awaited",
  "Promise",
  "PromiseLike",
]);

function openUtility(context: TypeContext, { node, bindings }: Written): Written | undefined {
  const [argument] = ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
  if (argument === undefined || !ts.isTypeReferenceNode(node)) return undefined;
  const name = node.typeName.getText();
  if (transparent.has(name)) return { node: argument, bindings };
  if (name !== "ReturnType") return undefined;
  const opened = openType(context, { node: argument, bindings });
  const signature = queriedFunction(context, opened.node);
  const returned = signature && returnedType(context, signature, 0);
  return returned && { node: returned.node, bindings: opened.bindings };
}

/** Follows `typeof user.email` to the type that was written for the value. */
function openQuery(context: TypeContext, node: ts.TypeQueryNode, layers: Layer[]): Written | undefined {
  const found = writtenForValue(context, node.exprName, context.reading.checker.getTypeFromTypeNode(node));
  const doc = found?.property === undefined ? undefined : docOf(found.property);
  if (doc !== undefined && found?.property !== undefined)
    layers.push({ doc, declaration: found.property, use: node, subject: `Type \`${shortText(node)}\`` });
  return found && { node: found.node, bindings: noBindings };
}

/** Follows `User["email"]` to the type of the field, with the tags of the field. */
function openIndex(
  context: TypeContext,
  { node, bindings }: { readonly node: ts.IndexedAccessTypeNode; readonly bindings: Bindings },
  layers: Layer[],
): Written | undefined {
  const { checker } = context.reading;
  const key = namedBy(context, node.indexType);
  // Inside of a mapped type, `T[K]` is the property that is mapped.
  if (key?.declarations?.some((one) => ts.isMappedTypeNode(one.parent)) === true) return bindings.get(key);
  const index = checker.getTypeFromTypeNode(openType(context, { node: node.indexType, bindings }).node);
  const parameters = parametersOf(context, { node: node.objectType, bindings });
  if (parameters !== undefined && index.isNumberLiteral()) return parameters[index.value];
  const opened = openType(context, { node: node.objectType, bindings });
  const part = indexedPart(opened.node, index);
  if (part !== undefined) {
    layers.push(...itemLayers(context, opened));
    return { node: part, bindings: opened.bindings };
  }
  if (!index.isStringLiteral()) return undefined;
  const owner = { node: node.objectType, bindings };
  // The type of the alias is used, since it includes the arguments, which the mapped type's own node does not.
  const property = [boundType(context, owner), checker.getTypeFromTypeNode(opened.node)]
    .filter((type) => !type.isUnion())
    .map((type) => type.getProperty(index.value))
    .find((one) => one !== undefined);
  return openField(context, owner, property, { use: node, layers });
}

/** The written type of a property, with the tags of the property. */
function openField(
  context: TypeContext,
  owner: Written,
  property: ts.Symbol | undefined,
  { use, layers }: { readonly use: ts.Node; readonly layers: Layer[] },
): Written | undefined {
  const bindings = memberBindings(context, owner);
  const { declaration, template, key, place } = (property && keptProperty(context, property, bindings)) ?? {};
  if (declaration === undefined || !(ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)))
    return undefined;
  const whole = docOf(declaration);
  const doc = whole && docAt(place ?? "whole", whole);
  if (doc !== undefined) layers.push({ doc, declaration, use, subject: `Field \`${property?.name ?? ""}\`` });
  if (declaration.type === undefined) return undefined;
  const written = { node: declaration.type, bindings };
  return template === undefined || key === undefined
    ? written
    : { node: template, bindings: new Map([...bindings, [key, written]]) };
}

/** Returns the comments of a list that apply to its items: a numeric bound on a list is a bound of each item. */
function itemLayers(context: TypeContext, { node, layers }: Opened): readonly Layer[] {
  if (ts.isTupleTypeNode(node)) return [];
  return layers.map((layer) => {
    const isOfItem = ({ name }: DocTag): boolean => constraintTags.has(name) && !listTags.has(name);
    for (const tag of layer.doc.tags) if (!isOfItem(tag)) context.ledger.settle(layer.use, tag, "used");
    return { ...layer, doc: { ...layer.doc, summary: "", tags: layer.doc.tags.filter(isOfItem) } };
  });
}

/** The branch that a conditional type takes, such as `Item` of `T extends (infer Item)[] ? Item : never`. */
function openConditional(context: TypeContext, written: Written, layers: Layer[]): Written | undefined {
  const node = written.node as ts.ConditionalTypeNode;
  const { checkType, extendsType, trueType } = node;
  const { bindings } = written;
  const found = inferredParts(
    context,
    extendsType,
    { node: checkType, bindings },
    {
      open: (given) => openType(context, given),
      item: (list) => layers.push(...itemLayers(context, list)),
      field: (owner, key) => {
        const opened = openType(context, owner);
        const type = context.reading.checker.getTypeFromTypeNode(opened.node);
        return type.isUnion()
          ? undefined
          : openField(context, owner, type.getProperty(key), { use: owner.node, layers });
      },
    },
  );
  if (found !== undefined) return { node: trueType, bindings: joined(bindings, found) };
  const branch = takenBranch(context, node, bindings);
  return branch && { node: branch, bindings };
}

/** The types of `Parameters<typeof f>`. */
function parametersOf(context: TypeContext, { node, bindings }: Written): readonly (Written | undefined)[] | undefined {
  if (!ts.isTypeReferenceNode(node) || node.typeName.getText() !== "Parameters") return undefined;
  const [argument] = node.typeArguments ?? [];
  if (argument === undefined) return undefined;
  const opened = openType(context, { node: argument, bindings });
  const signature = queriedFunction(context, opened.node);
  return signature?.parameters.map(({ type }) => type && { node: type, bindings: opened.bindings });
}

/**
 * Returns bindings for the type parameters in the members of an object: for interfaces, aliases and classes that a node
 * names, for their bases, and for the arguments of utility types.
 */
export function memberBindings(context: TypeContext, written: Written | undefined): Bindings {
  if (written === undefined) return noBindings;
  if (!isClosed(context, written.node)) return bindingsWithin(context, openType(context, written));
  const known = context.bindings.get(written.node);
  if (known !== undefined) return known;
  const found = bindingsWithin(context, openType(context, { node: written.node, bindings: noBindings }));
  context.bindings.set(written.node, found);
  return found;
}

/** Shortens the text of a node for a message. */
export function shortText(node: ts.Node): string {
  const text = node.getText().replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
