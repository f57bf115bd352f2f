import { classKeyword } from "../class-keyword.ts";
import type { JsonObject, JsonSchema } from "../contract.ts";

interface Described {
  readonly description?: unknown;
  readonly default?: unknown;
  readonly deprecated?: unknown;
}

type Schema = JsonSchema | boolean | undefined;

/**
 * Direction of a value. In requests, values may be classes or JSON; in results, they have the classes that the schema
 * names; `json` is JSON alone, without `readonly`.
 */
export type Direction = "request" | "result" | "json";

export interface TypeContext {
  readonly direction: Direction;
  /** The type for a reference of the schema, such as `#/$defs/Place`. */
  readonly refer: (reference: string) => string;
}

const indent = "  ";

/** A type that needs brackets before `[]` or `?` and beside `&`: a union, an intersection, or one with `readonly`. */
interface Joined {
  readonly joined: string;
}

type Text = string | Joined;

/** The TypeScript type of a schema. */
export function typeText(schema: Schema, context: TypeContext): string {
  return plain(textOf(schema, context));
}

function textOf(schema: Schema, context: TypeContext): Text {
  if (schema === false) return "never";
  if (typeof schema !== "object") return "unknown";
  const { $ref: reference, enum: values, anyOf, oneOf, allOf } = schema;
  if (typeof reference === "string") return context.refer(reference);
  if (Object.hasOwn(schema, "const")) return literal(schema["const"]);
  if (Array.isArray(values)) return union(values.map(literal));
  const textsOf = (list: unknown): readonly Text[] =>
    Array.isArray(list) ? list.map((member) => textOf(member as Schema, context)) : [];
  const members = textsOf(anyOf ?? oneOf);
  const parts = [ownText(schema, context), ...(members.length === 0 ? [] : [union(members)]), ...textsOf(allOf)];
  const some = distinct(parts).filter((part) => part !== "unknown");
  return some.length > 1 ? { joined: some.map(inBrackets).join(" & ") } : (some[0] ?? "unknown");
}

function ownText(schema: JsonSchema, context: TypeContext): Text {
  const types = [schema["type"]].flat().filter((type) => typeof type === "string");
  if (types.length > 0) return union(types.map((type) => ofType(type, schema, context)));
  if (schema["properties"] !== undefined) return objectType(schema, context);
  return Object.hasOwn(schema, "not") ? "never" : "unknown";
}

/** Prints a value as a literal type. Objects and lists become `unknown`, since they have no literal type. */
function literal(value: unknown): string {
  return typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);
}

function ofType(type: string, schema: JsonSchema, context: TypeContext): Text {
  switch (type) {
    case "integer":
      return "number";
    case "string":
      return textType(schema, context);
    case "array":
      return arrayText(schema, context);
    case "object":
      return objectType(schema, context);
    case "number":
    case "boolean":
    case "null":
      return type;
    default:
      // Unknown forms of a schema become `unknown`: text from a schema must not become code.
      return "unknown";
  }
}

/** Types of text values that become another class in a result. */
const classTypes: Readonly<Partial<Record<string, string>>> = {
  Date: "Date",
  URL: "URL",
  bigint: "bigint",
  bytes: "Uint8Array",
};

/** The class of a text value. A request accepts both the class and the text. */
function textType(schema: JsonSchema, { direction }: TypeContext): Text {
  if (direction === "json") return "string";
  if (direction === "result") {
    const name = String(schema[classKeyword]);
    return (Object.hasOwn(classTypes, name) ? classTypes[name] : undefined) ?? "string";
  }
  if (schema["format"] === "date-time") return union(["Date", "string"]);
  if (schema["format"] === "uri") return union(["URL", "string"]);
  if (schema["contentEncoding"] === "base64") return union(["Uint8Array", "string"]);
  return String(schema["$comment"]).startsWith("integer as a string") ? union(["bigint", "string"]) : "string";
}

function arrayText(schema: JsonSchema, context: TypeContext): Text {
  const item = textOf(schema["items"] as Schema, context);
  const set = `ReadonlySet<${plain(item)}>`;
  if (schema[classKeyword] === "Set") return set;
  if (schema["prefixItems"] === undefined) {
    const list = constantList(`${inBrackets(item)}[]`, context);
    const mayBeSet = context.direction === "request" && schema["uniqueItems"] === true;
    return mayBeSet ? union([list, set]) : list;
  }
  const least = Number(schema["minItems"] ?? 0);
  const elements = (schema["prefixItems"] as readonly Schema[]).map((element, index) => {
    const text = textOf(element, context);
    return index < least ? plain(text) : `${inBrackets(text)}?`;
  });
  if (schema["items"] !== false) elements.push(`...${inBrackets(item)}[]`);
  return constantList(`[${elements.join(", ")}]`, context);
}

function constantList(list: string, context: TypeContext): Text {
  const word = constant(context);
  return word === "" ? list : { joined: `${word}${list}` };
}

/** The word before members that nobody may change. */
function constant({ direction }: TypeContext): string {
  return direction === "json" ? "" : "readonly ";
}

/** The members of an object type in braces, or another type if its keys are not known. */
export function objectText(schema: JsonSchema, context: TypeContext): string {
  return plain(objectType(schema, context));
}

function objectType(schema: JsonSchema, context: TypeContext): Text {
  const fields = Object.entries((schema["properties"] ?? {}) as JsonObject);
  const required = (schema["required"] ?? []) as readonly string[];
  const others = otherValues(schema, context);
  const word = constant(context);
  if (fields.length === 0) return recordText(schema, others, context);
  const texts: Text[] = [];
  const lines = fields.map(([key, field]) => {
    const isOptional = !required.includes(key);
    const text = textOf(field as Schema, context);
    texts.push(text, ...(isOptional ? ["undefined"] : []));
    const comment = typeof field === "object" && field !== null ? commentText(field as JsonSchema) : "";
    return `${comment}${word}${keyText(key)}${isOptional ? "?" : ""}: ${plain(text)};`;
  });
  // An index signature must also cover the declared keys.
  if (others.length > 0) lines.push(`${word}[key: string]: ${plain(union([...others, ...texts]))};`);
  return `{\n${indented(lines.join("\n"))}\n}`;
}

function recordText(schema: JsonSchema, others: readonly Text[], context: TypeContext): Text {
  const { direction } = context;
  if (direction === "json") {
    const closed = schema["additionalProperties"] === false ? "never" : "unknown";
    // Unlike `Record`, an index signature may contain the type that is being declared.
    return others.length === 0 ? `Record<string, ${closed}>` : `{ [key: string]: ${plain(union(others))} }`;
  }
  if (others.length === 0)
    return schema["additionalProperties"] === false ? "Record<string, never>" : "Readonly<Record<string, unknown>>";
  const value = plain(union(others));
  if (schema[classKeyword] === "Map") return `ReadonlyMap<string, ${value}>`;
  const record = `{ readonly [key: string]: ${value} }`;
  const mayBeMap = direction === "request" && schema["patternProperties"] === undefined;
  return mayBeMap ? union([record, `ReadonlyMap<string, ${value}>`]) : record;
}

function otherValues(schema: JsonSchema, context: TypeContext): readonly Text[] {
  const { additionalProperties: others, patternProperties: patterns } = schema;
  const values = Object.values((patterns ?? {}) as JsonObject).map((value) => textOf(value as Schema, context));
  if (others !== undefined && others !== false) values.push(textOf(others as Schema, context));
  return values;
}

/** Each member once; `unknown` includes all others. */
function union(members: readonly Text[]): Text {
  const all = distinct(members);
  if (all.includes("unknown")) return "unknown";
  const some = all.filter((member) => member !== "never");
  return some.length > 1 ? { joined: some.map(plain).join(" | ") } : (some[0] ?? "never");
}

function distinct(texts: readonly Text[]): readonly Text[] {
  return [...new Map(texts.map((text) => [plain(text), text])).values()];
}

function plain(text: Text): string {
  return typeof text === "string" ? text : text.joined;
}

function inBrackets(text: Text): string {
  return typeof text === "string" ? text : `(${text.joined})`;
}

/** A key as it is written in a type. */
export function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** Indents lines by one level. */
export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, indent);
}

/** The doc comment of a schema or a tool, with a line break; empty if there are no texts. */
export function commentText({ description, default: preset, deprecated }: Described): string {
  const lines = typeof description === "string" && description.trim() !== "" ? description.trim().split(/\r?\n/) : [];
  if (preset !== undefined) lines.push(`@default ${JSON.stringify(preset)}`);
  if (deprecated !== undefined && deprecated !== false)
    lines.push(`@deprecated${typeof deprecated === "string" ? ` ${deprecated.replaceAll(/\s+/g, " ")}` : ""}`);
  if (lines.length === 0) return "";
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  if (safe.length === 1) return `/** ${safe.join("")} */\n`;
  return `/**\n${safe.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}
