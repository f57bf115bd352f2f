import type { FieldModel, KeyPattern, ObjectType, TypeModel } from "../../model/type.ts";

/** Maximum number of shown members. */
const shownMembers = 12;

function unionText(members: readonly TypeModel[]): string {
  const shown = members.length > shownMembers ? members.slice(0, shownMembers - 2) : members;
  return [...shown.map(modelText), ...(shown === members ? [] : ["…"])].join(" | ");
}

/** Prints a model in TypeScript syntax. */
export function modelText(type: TypeModel): string {
  switch (type.kind) {
    case "literal":
      return JSON.stringify(type.value);
    case "template":
      return type.text;
    case "ref":
      return type.name;
    case "array":
      return type.items.kind === "union" ? `(${modelText(type.items)})[]` : `${modelText(type.items)}[]`;
    case "tuple": {
      const elements = type.elements.map(
        (element) =>
          `${element.name === undefined ? "" : `${element.name}${element.optional ? "?" : ""}: `}${modelText(element.type)}${element.name === undefined && element.optional ? "?" : ""}`,
      );
      return `[${[...elements, ...(type.rest === undefined ? [] : [`...${modelText(type.rest)}[]`])].join(", ")}]`;
    }
    case "union":
      return unionText(type.members);
    case "object":
      return objectText(type);
    case "set":
      return `Set<${modelText(type.items)}>`;
    case "map":
      return `Map<string, ${modelText(type.values)}>`;
    case "date":
      return "Date";
    case "url":
      return "URL";
    case "bytes":
      return type.buffer === true ? "Buffer" : "Uint8Array";
    default:
      return type.kind;
  }
}

function objectText(type: ObjectType): string {
  const others = otherKeys(type);
  const [only] = others;
  if (type.fields.length > 0 || others.length > 1)
    return `{ ${[...type.fields.map(fieldText), ...others.map(otherKeyText)].join("; ")} }`;
  return only === undefined ? "{}" : `Record<${only.text}, ${modelText(only.type)}>`;
}

/** Returns the index signatures of an object. */
export function otherKeys(type: ObjectType): readonly Pick<KeyPattern, "text" | "type">[] {
  return [...(type.patterns ?? []), ...(type.index === undefined ? [] : [{ text: "string", type: type.index }])];
}

/** Prints an index signature in TypeScript syntax. */
export function otherKeyText({ text, type }: Pick<KeyPattern, "text" | "type">): string {
  return `[key: ${text}]: ${modelText(type)}`;
}

/** Prints a field in TypeScript syntax, with its default. */
export function fieldText(field: FieldModel): string {
  const value = field.default === undefined ? "" : ` = ${JSON.stringify(field.default)}`;
  const key = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(field.key) ? field.key : JSON.stringify(field.key);
  return `${key}${field.optional === true && value === "" ? "?" : ""}: ${modelText(field.type)}${value}`;
}
