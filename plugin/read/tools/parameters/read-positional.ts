import { ts } from "ts-morph";
import type { FieldModel } from "../../../model/type.ts";
import { descriptionOf } from "../../comments/doc-text.ts";
import { docOfParam, paramTags } from "../../comments/param-tags.ts";
import { withDefault } from "./parameter-defaults.ts";
import { isRest, type Parameter } from "./parameter.ts";
import { docOf, isOwnFile, placeOf, positionOf, report } from "../../base/reading.ts";
import { checkLocalPath } from "../../types/written/local-path.ts";
import type { Doc } from "../../base/tsdoc.ts";
import { accepts } from "../../constraints/accepts.ts";
import { applyFieldTags } from "../../constraints/field-tags.ts";
import { narrowingTags, withTypeTexts } from "../../types/written/apply-layers.ts";
import { splitUndefined } from "../../types/written/split-undefined.ts";
import type { Site, TypeContext } from "../../base/type-context.ts";
import { writtenForValue } from "../../types/written/written-values.ts";

/**
 * Reads a positional parameter as a field of the request. The field's text is the `@param` with the parameter's name.
 */
export function readPositional(
  context: TypeContext,
  parameter: Parameter,
  doc: Doc | undefined,
): FieldModel | undefined {
  const { reading } = context;
  const { declaration, place } = parameter;
  const key = parameter.symbol.name;
  if (declaration !== undefined && !ts.isIdentifier(declaration.name)) {
    report(reading, {
      code: "TN114",
      place,
      message: "A positional parameter needs a name, because callers give it by its name.",
      fix: "take it under a name, and destructure it in the function",
    });
    return undefined;
  }
  const optional =
    declaration !== undefined && (declaration.questionToken !== undefined || declaration.initializer !== undefined);
  const split = splitUndefined(parameter.type);
  const site: Site = {
    place,
    subject: `Parameter \`${key}\``,
    mayMiss: true,
    nodes: declaration?.type === undefined ? [] : [declaration.type],
    hint: key,
    isField: true,
  };
  const docs = parameterDocs(context, parameter, doc);
  const standard = declaration?.type === undefined ? declaration?.initializer : undefined;
  const node = standard && writtenForValue(context, standard, parameter.type)?.node;
  const type = context.read(parameter.type, declaration?.type ?? node, { ...site, overrides: narrowingTags(docs) });
  const name = declaration === undefined ? undefined : placeOf(declaration.name);
  let field = withTypeTexts({ key, type, ...(optional || split.optional ? { optional: true as const } : {}) });
  for (const { doc: own, at } of docs) {
    context.ledger.meet(at, own);
    const inFile = { ...site, place: placeOf(at) };
    field = applyFieldTags(context, field, own, inFile, { own: true, narrow: true, at, on: "parameter" });
  }
  if (isRest(parameter) && accepts(field.type, [], context.definitions))
    field = { ...field, optional: true, default: [] };
  if (declaration?.initializer !== undefined) field = withDefault(context, field, declaration.initializer);
  const text = docs.map(({ doc: own, at }) => descriptionOf(reading, own, placeOf(at))).find((one) => one !== "");
  if (text !== undefined) field = { ...field, description: text };
  if (name === undefined) return field;
  if (field.description === undefined && field.title === undefined) {
    report(reading, {
      code: "TN203",
      place: name,
      message: `Parameter \`${key}\` has no text.`,
      fix: `write a line in the tool's comment: \`@param ${key} - What callers give here.\``,
    });
  }
  checkLocalPath(reading, field, name);
  return { ...field, at: positionOf(reading, name) };
}

interface ParameterDoc {
  readonly doc: Doc;
  readonly at: ts.Node;
}

/** Returns the texts of a parameter: in the `@param` with its name, and in a comment in front of it. */
function parameterDocs(
  context: TypeContext,
  { symbol, declaration }: Parameter,
  doc: Doc | undefined,
): readonly ParameterDoc[] {
  const { file } = context.reading;
  const params = paramTags(doc, file.text).filter(({ name, path }) => name === symbol.name && path.length === 0);
  const own = declaration !== undefined && isOwnFile(context.reading, declaration.getSourceFile());
  const inline = own ? docOf(declaration) : undefined;
  return [
    ...params.map((param) => ({
      doc: docOfParam(param),
      at: declaration?.getSourceFile() === file ? declaration : file,
    })),
    ...(inline === undefined || declaration === undefined ? [] : [{ doc: inline, at: declaration }]),
  ];
}
