import { ts } from "ts-morph";
import type { FieldModel } from "../../model/type.ts";
import { tagPlace, tagText } from "../comments/doc-text.ts";
import { lastTag, todo } from "../base/edits.ts";
import { withDefault } from "./parameter-defaults.ts";
import { isRest } from "./parameter.ts";
import type { Parameter } from "./parameter.ts";
import { placeOf, positionOf, report } from "../base/reading.ts";
import type { Place } from "../base/reading.ts";
import { checkLocalPath } from "../types/local-path.ts";
import type { Doc } from "../base/tsdoc.ts";
import { accepts } from "../constraints/accepts.ts";
import { splitUndefined } from "../types/read-union.ts";
import type { Site, TypeContext } from "../base/type-context.ts";

/** Reads a positional parameter as a field of the request; its text is the `@param` of its name. */
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
  };
  const type = context.read(parameter.type, declaration?.type, site);
  const name = declaration === undefined ? undefined : placeOf(declaration.name);
  let field: FieldModel = { key, type, ...(optional || split.optional ? { optional: true as const } : {}) };
  if (isRest(parameter) && accepts(type, [], context.definitions)) field = { ...field, optional: true, default: [] };
  if (declaration?.initializer !== undefined) field = withDefault(context, field, declaration.initializer);
  const text = paramText(context, key, doc, place);
  if (text !== undefined) field = { ...field, description: text };
  if (name === undefined) return field;
  if (text === undefined) {
    report(reading, {
      code: "TN203",
      place: name,
      message: `Parameter \`${key}\` has no text.`,
      fix: `write a line in the tool's comment: \`@param ${key} - What callers give here.\``,
      ...(doc !== undefined && { edit: lastTag(doc, name.file, `@param ${key} - ${todo} callers give here.`) }),
    });
  }
  checkLocalPath(reading, field, name);
  return { ...field, at: positionOf(reading, name) };
}

function paramText(context: TypeContext, key: string, doc: Doc | undefined, place: Place): string | undefined {
  for (const tag of doc?.tags ?? []) {
    const [, name, text] = paramPattern.exec(tag.text) ?? [];
    if (tag.name === "param" && name === key && text !== undefined && text !== "")
      return tagText(context.reading, { ...tag, text }, place);
  }
  return undefined;
}

const paramPattern = /^(?:\{[^}]*\}\s*)?\[?([\p{ID_Continue}$.]+)(?:=[^\]]*)?\]?\s*(?:-\s*)?([\s\S]*)$/u;

/** Reports `@param` texts without a parameter. */
export function checkParamTags(
  context: TypeContext,
  parameters: readonly Parameter[],
  doc: Doc | undefined,
  fallback: Place,
): void {
  const patterns = parameters.some(
    (parameter) => parameter.declaration !== undefined && !ts.isIdentifier(parameter.declaration.name),
  );
  for (const tag of patterns ? [] : (doc?.tags ?? [])) {
    const name = tag.name === "param" ? paramPattern.exec(tag.text)?.[1]?.split(".")[0] : undefined;
    if (name === undefined || parameters.some((parameter) => parameter.symbol.name === name)) continue;
    report(context.reading, {
      code: "TN117",
      place: tagPlace(tag, fallback),
      message: `\`@param ${name}\` names no parameter of this tool.`,
      fix: "use the name of a parameter",
    });
  }
}
