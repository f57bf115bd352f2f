import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { childTypes } from "../model/child-types.ts";
import type { ToolModel } from "../model/tool.ts";
import type { FieldModel, ObjectType, Position, TypeModel } from "../model/type.ts";
import { isRecursive, resolveType } from "./facts/type-facts.ts";

const portableName = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Warns about arguments that some MCP hosts refuse although the schemas are legal. TN501: a property name, TN502: a
 * type that contains itself, TN503: keys of a pattern.
 */
export function portabilityWarnings(model: ToolModel): readonly Diagnostic[] {
  if (model.request === undefined) return [];
  const warnings: Diagnostic[] = [];
  for (const field of fieldsOf(model.request.type, model)) {
    if (portableName.test(field.key)) continue;
    warnings.push(
      warning(
        "TN501",
        field.at ?? model.position,
        `MCP hosts refuse the property name ${JSON.stringify(field.key)} and with it the whole tool.`,
        "use 1 to 64 letters, digits, `_`, `.` or `-`",
      ),
    );
  }
  for (const { object, at } of keyPatternsIn(model.request.type, model)) {
    warnings.push(
      warning(
        "TN503",
        at,
        `Some MCP hosts do not support \`patternProperties\`, which restricts keys to the form ${formsOf(object)}.`,
        "describe the keys in its text, or use an array of `{ key, value }`",
      ),
    );
  }
  if (isRecursive(model.request.type, model.definitions)) {
    warnings.push(
      warning(
        "TN502",
        model.position,
        `The request of tool \`${model.name}\` contains itself, so its schema needs a \`$ref\`, which some MCP hosts refuse.`,
        "replace the nesting by a list whose items name their parent, or accept that these hosts leave the tool out",
      ),
    );
  }
  return warnings;
}

function formsOf({ patterns = [] }: ObjectType): string {
  return patterns.map(({ text }) => (text.includes("`") ? text : `\`${text}\``)).join(" or ");
}

/** Finds objects with key patterns; each is returned with the field that contains it. */
function keyPatternsIn(
  type: TypeModel,
  model: ToolModel,
): readonly { readonly object: ObjectType; readonly at: Position }[] {
  const found: { readonly object: ObjectType; readonly at: Position }[] = [];
  const seen = new Set<string>();
  const visit = (part: TypeModel, at: Position): void => {
    if (part.kind === "ref") {
      if (seen.has(part.name)) return;
      seen.add(part.name);
      visit(resolveType(part, model.definitions), at);
      return;
    }
    if (part.kind !== "object") {
      for (const child of childTypes(part)) visit(child, at);
      return;
    }
    if (part.patterns !== undefined) found.push({ object: part, at });
    for (const field of part.fields) visit(field.type, field.at ?? at);
    for (const child of childTypes({ ...part, fields: [] })) visit(child, at);
  };
  visit(type, model.position);
  return found;
}

function fieldsOf(type: TypeModel, model: ToolModel): readonly FieldModel[] {
  const fields: FieldModel[] = [];
  const seen = new Set<string>();
  const visit = (part: TypeModel): void => {
    if (part.kind === "ref") {
      if (seen.has(part.name)) return;
      seen.add(part.name);
      visit(resolveType(part, model.definitions));
      return;
    }
    if (part.kind === "object") fields.push(...part.fields);
    for (const child of childTypes(part)) visit(child);
  };
  visit(type);
  return fields;
}

function warning(code: string, at: Position, message: string, fix: string): Diagnostic {
  return { code, level: "warning", message, fix, file: at.file, line: at.line, column: at.column, length: at.length };
}
