import type { TypeModel } from "./type.ts";

/** Formats of text that MCP forms support. */
export const formFormats: ReadonlySet<string> = new Set(["email", "uri", "date", "date-time"]);

/** True for a value that an MCP form can ask for: text, a number, yes or no, one of several texts, or some of them. */
export function isFormValue(type: TypeModel, definitions: { readonly [name: string]: TypeModel }): boolean {
  switch (type.kind) {
    case "boolean":
      return true;
    case "string":
      return type.patterns === undefined && (type.format === undefined || formFormats.has(type.format));
    case "number":
      return [type.float, type.exclusiveMinimum, type.exclusiveMaximum, type.multipleOf].every(
        (part) => part === undefined,
      );
    case "array":
      // A form cannot demand unique items, and answers are JSON, so that a `Set` would be an array.
      return type.uniqueItems !== true && isChoice(type.items, definitions);
    case "ref": {
      const target = definitions[type.name];
      return target !== undefined && target.kind !== "object" && isFormValue(target, definitions);
    }
    default:
      return isChoice(type, definitions);
  }
}

function isChoice(type: TypeModel, definitions: { readonly [name: string]: TypeModel }): boolean {
  if (type.kind === "literal") return typeof type.value === "string";
  if (type.kind === "union") return type.members.every((member) => isChoice(member, definitions));
  const target = type.kind === "ref" ? definitions[type.name] : undefined;
  return target !== undefined && isChoice(target, definitions);
}
