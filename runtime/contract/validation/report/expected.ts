import { refName, resolveSchema, type FullSchema } from "./schema.ts";

const formatTexts: Readonly<Record<string, string>> = {
  "date-time": "date-time string such as 2026-01-31T12:00:00Z",
  date: "date string such as 2026-01-31",
  time: "time string such as 12:00:00Z",
  duration: "duration string such as PT30S",
  email: "email address",
  "idn-email": "email address",
  hostname: "host name",
  "idn-hostname": "host name",
  ipv4: "IPv4 address",
  ipv6: "IPv6 address",
  uri: "URI such as https://example.org/path",
  "uri-reference": "URI or relative reference",
  "uri-template": "URI template such as /items/{id}",
  iri: "IRI such as https://example.org/path",
  "iri-reference": "IRI or relative reference",
  url: "URL such as https://example.org/path",
  uuid: "UUID such as 0190a1b2-0000-7000-8000-000000000000",
  byte: "base64 string",
  regex: "regular expression",
  "json-pointer": "JSON Pointer such as /items/0",
  "relative-json-pointer": "relative JSON Pointer such as 1/items",
  password: "string",
};
const mostAlternatives = 20;

/**
 * Describes in the author's words the values that a schema accepts, for example `"fast" | "exact"` or `integer from 0
 * to 10`.
 */
export function expectedText(schema: FullSchema, root: FullSchema): string {
  const name = refName(schema);
  if (name !== undefined) return name;
  if (schema.$comment !== undefined) return schema.$comment;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return alternatives(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) return alternatives(schema.anyOf.map((member) => expectedText(member, root)));
  if (schema.type === undefined) return "any value";
  const types = typeof schema.type === "string" ? [schema.type] : schema.type;
  return alternatives(types.map((type) => typeText(type, schema, root)));
}

function alternatives(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  if (distinct.length <= mostAlternatives) return distinct.join(" | ");
  return `${distinct.slice(0, mostAlternatives).join(" | ")} | … (${distinct.length} in all)`;
}

function typeText(type: string, schema: FullSchema, root: FullSchema): string {
  if (type === "string") return stringText(schema);
  if (type === "number" || type === "integer") return numberText(type, schema);
  if (type === "array") return arrayText(schema, root);
  if (type !== "object") return type;
  const values = schema.additionalProperties;
  return schema.properties === undefined && values !== undefined && values !== false
    ? `object of ${expectedText(values, root)}`
    : "object";
}

function stringText(schema: FullSchema): string {
  if (schema.contentEncoding === "base64") return "base64 string";
  const parts = [schema.format === undefined ? "string" : (formatTexts[schema.format] ?? `${schema.format} string`)];
  const length = rangeText(schema.minLength, schema.maxLength, "character");
  if (length !== undefined) parts.push(`with ${length}`);
  const patterns = [schema.pattern, ...(schema.allOf ?? []).map((part) => part.pattern)].filter(
    (pattern) => pattern !== undefined,
  );
  if (patterns.length > 0) parts.push(`that matches ${patterns.map((pattern) => `/${pattern}/`).join(" and ")}`);
  return parts.join(" ");
}

function numberText(type: string, schema: FullSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const parts = [multipleOf === undefined ? type : `multiple of ${multipleOf}`];
  // Default bounds of an integer are left out, since they come from double precision and not from the author.
  const low = minimum === -Number.MAX_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) parts.push(`from ${low} to ${high}`);
  else if (low !== undefined) parts.push(low === -Number.MAX_SAFE_INTEGER ? "" : `of at least ${low}`);
  else if (high !== undefined) parts.push(`of at most ${high}`);
  if (exclusiveMinimum !== undefined) parts.push(`above ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined) parts.push(`below ${exclusiveMaximum}`);
  return parts.filter((part) => part !== "").join(" ");
}

function arrayText(schema: FullSchema, root: FullSchema): string {
  const { items, prefixItems } = schema;
  if (prefixItems !== undefined || items === false) {
    const rest = items === undefined || items === false ? [] : [`...${expectedText(items, root)}[]`];
    const required = schema.minItems ?? 0;
    const elements = (prefixItems ?? []).map((item, index) => expectedText(item, root) + (index < required ? "" : "?"));
    return `[${[...elements, ...rest].join(", ")}]`;
  }
  const parts = [
    schema.uniqueItems === true ? "array of distinct" : "array of",
    items === undefined ? "any value" : expectedText(items, root),
  ];
  const length = rangeText(schema.minItems, schema.maxItems, "item");
  if (length !== undefined) parts.push(`with ${length}`);
  return parts.join(" ");
}

function rangeText(minimum: number | undefined, maximum: number | undefined, unit: string): string | undefined {
  const plural = (count: number): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
  if (minimum !== undefined && minimum === maximum) return `exactly ${plural(minimum)}`;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${plural(maximum)}`;
  if (minimum !== undefined) return `at least ${plural(minimum)}`;
  return maximum === undefined ? undefined : `at most ${plural(maximum)}`;
}

/** Returns the values of a schema that is a fixed value or a choice of fixed values. */
export function fixedValues(schema: FullSchema, root: FullSchema): readonly unknown[] | undefined {
  const target = resolveSchema(schema, root);
  return "const" in target ? [target.const] : target.enum;
}
