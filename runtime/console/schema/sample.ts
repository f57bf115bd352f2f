import type { Json } from "../base/json.ts";
import { choicesOf, fieldsOf, resolve, typesOf } from "./schema.ts";
import type { Schema } from "./schema.ts";

/** Levels after which optional parts are left out, so that a type that contains itself ends. */
const deepest = 6;

/** A valid value of a schema: the author's example, default or constant where there is one, else the least one. */
export function sampleOf(schema: Schema, root: Schema, depth = 0): Json {
  const at = resolve(schema, root);
  const given = at.examples?.[0] ?? at.default;
  if (given !== undefined) return given;
  if (at.const !== undefined) return at.const;
  const [first] = at.enum ?? [];
  if (first !== undefined) return first;
  const choices = choicesOf(at);
  if (choices !== undefined) return sampleOf(simplest(choices, depth), root, depth + 1);
  switch (typesOf(at)[0]) {
    case "object":
      return objectSample(at, root, depth);
    case "array":
      return listSample(at, root, depth);
    case "number":
    case "integer":
      return numberSample(at);
    case "boolean":
      return false;
    case "string":
      return textSample(at);
    default:
      return at.type === "null" ? null : {};
  }
}

/** Deep inside, the alternative that ends soonest. */
function simplest(choices: readonly Schema[], depth: number): Schema {
  const ends = (choice: Schema): boolean => choice.$ref === undefined && !typesOf(choice).includes("object");
  return (depth > deepest ? choices.find(ends) : undefined) ?? choices[0] ?? {};
}

function objectSample(schema: Schema, root: Schema, depth: number): Json {
  const required = new Set(schema.required);
  const entries = fieldsOf(schema)
    .filter(([key, field]) => required.has(key) || (depth < 2 && hasExample(field)))
    .map(([key, field]) => [key, sampleOf(field, root, depth + 1)] as const);
  return Object.fromEntries(entries);
}

function hasExample({ examples, default: usual }: Schema): boolean {
  return examples !== undefined || usual !== undefined;
}

function listSample(schema: Schema, root: Schema, depth: number): Json {
  const fixed = (schema.prefixItems ?? []).map((item) => sampleOf(item, root, depth + 1));
  const missing = Math.min(schema.minItems ?? 0, 50) - fixed.length;
  const { items } = schema;
  if (items === undefined || items === false || missing <= 0) return fixed;
  return [...fixed, ...Array.from({ length: missing }, () => sampleOf(items, root, depth + 1))];
}

function numberSample({ minimum, exclusiveMinimum, maximum, multipleOf = 1 }: Schema): number {
  if (exclusiveMinimum !== undefined && exclusiveMinimum >= 0) return exclusiveMinimum + multipleOf;
  if (minimum !== undefined && minimum > 0) return Math.ceil(minimum / multipleOf) * multipleOf;
  return maximum !== undefined && maximum < 0 ? maximum : 0;
}

const texts: Readonly<Record<string, () => string>> = {
  "date-time": () => new Date().toISOString(),
  date: () => new Date().toISOString().slice(0, 10),
  email: () => "someone@example.org",
  uri: () => "https://example.org/",
  uuid: () => crypto.randomUUID(),
};

function textSample({ format = "", minLength = 0, $comment = "" }: Schema): string {
  const made = texts[format]?.();
  if (made !== undefined) return made;
  if ($comment.startsWith("integer")) return "0";
  return "x".repeat(Math.min(minLength, 1000));
}
