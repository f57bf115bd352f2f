import type { FieldModel, ObjectType, TypeModel } from "../model/type.ts";
import type { ResultModel } from "../model/tool.ts";

/** One line that shows how a tool is called, for example `isPrime(number: number): PrimeResult`. */
export function signatureText(name: string, request: ObjectType | undefined, result: ResultModel): string {
  const fields = (request?.fields ?? []).map(fieldText);
  if (request?.index !== undefined) fields.push(`[key: string]: ${typeText(request.index)}`);
  return `${name}(${fields.join(", ")}): ${resultText(result)}`;
}

function fieldText(field: FieldModel): string {
  const value = field.default === undefined ? "" : ` = ${JSON.stringify(field.default)}`;
  const key = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(field.key) ? field.key : JSON.stringify(field.key);
  return `${key}${field.optional === true && value === "" ? "?" : ""}: ${typeText(field.type)}${value}`;
}

function resultText(result: ResultModel): string {
  switch (result.kind) {
    case "none":
      return "void";
    case "bytes":
      return "Uint8Array";
    case "binary":
      return "BinaryResult";
    default:
      return result.type === undefined ? "unknown" : typeText(result.type);
  }
}

/** A model as TypeScript would write it. */
function typeText(type: TypeModel): string {
  switch (type.kind) {
    case "literal":
      return JSON.stringify(type.value);
    case "template":
      return type.text;
    case "ref":
      return type.name;
    case "array":
      return type.items.kind === "union" ? `(${typeText(type.items)})[]` : `${typeText(type.items)}[]`;
    case "tuple": {
      const elements = type.elements.map((element) => `${element.name === undefined ? "" : `${element.name}${element.optional ? "?" : ""}: `}${typeText(element.type)}${element.name === undefined && element.optional ? "?" : ""}`);
      return `[${[...elements, ...(type.rest === undefined ? [] : [`...${typeText(type.rest)}[]`])].join(", ")}]`;
    }
    case "union":
      return type.members.map(typeText).join(" | ");
    case "object":
      if (type.fields.length === 0) return type.index === undefined ? "{}" : `Record<string, ${typeText(type.index)}>`;
      return `{ ${type.fields.map(fieldText).join("; ")} }`;
    case "set":
      return `Set<${typeText(type.items)}>`;
    case "map":
      return `Map<string, ${typeText(type.values)}>`;
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
