import { isObject } from "../../runtime/contract/validation/json-value.ts";
import type { JsonSchema } from "../../runtime/contract/contract.ts";

type Part = Record<string, unknown>;

/** A change of one part of a schema, chosen by numbers; undefined where the part has nothing to change in that way. */
type Mutation = (part: Part, choice: number) => Part | undefined;

const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const sizes: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
};
const patterns = ["^a", "b$", "^[a-z]+$", "^\\p{L}*$", "^(?:0|-?[1-9][0-9]*)$", "^id-\\d+$"];
const formats = ["date-time", "date", "uuid", "email", "uri", "ipv4", "uri-reference", "hostname", "byte"];
const replacements: readonly Part[] = [
  { type: "string" },
  { type: "number" },
  { type: "integer" },
  { type: "boolean" },
  { type: "null" },
  { type: "string", enum: ["a", "b"] },
  { type: "array", items: { type: "string" } },
  { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  {},
];

/** Changes that authors make in a type. */
const mutations: readonly Mutation[] = [
  (part, choice) => replacements[choice % replacements.length],
  (part, choice) =>
    part["type"] === "number" || part["type"] === "integer"
      ? withKey(part, bounds[choice % bounds.length] ?? "", [1, 2, 0.5, 10, 3][choice % 5])
      : undefined,
  (part, choice) => {
    const keys = sizes[String(part["type"])];
    const key = keys?.[choice % 2];
    return key === undefined || part["prefixItems"] !== undefined ? undefined : withKey(part, key, (choice >> 1) % 5);
  },
  (part, choice) => {
    const keys = [...bounds, "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "pattern", "format"];
    const present = keys.filter((key) => key in part && part["prefixItems"] === undefined);
    const key = present[choice % present.length];
    return key === undefined ? undefined : without(part, key);
  },
  (part, choice) =>
    part["type"] === "string" ? withKey(part, "pattern", patterns[choice % patterns.length]) : undefined,
  (part, choice) => (part["type"] === "string" ? withKey(part, "format", formats[choice % formats.length]) : undefined),
  (part, choice) => {
    const values = part["enum"];
    if (!Array.isArray(values) || values.length < 2) return undefined;
    return choice % 2 === 0
      ? withKey(part, "enum", values.toSpliced(choice % values.length, 1))
      : withKey(part, "enum", [...values, typeof values[0] === "number" ? 42 : "new"]);
  },
  (part) => (part["type"] === "integer" ? withKey(part, "type", "number") : undefined),
  (part) => (part["type"] === "number" ? withKey(part, "type", "integer") : undefined),
  (part) =>
    typeof part["type"] === "string" && part["const"] === undefined ? { anyOf: [part, { type: "null" }] } : undefined,
  (part, choice) => {
    const members = part["anyOf"];
    if (!Array.isArray(members)) return undefined;
    if (choice % 2 === 0 && members.length > 1)
      return withKey(part, "anyOf", members.toSpliced(choice % members.length, 1));
    return withKey(part, "anyOf", [...members, replacements[choice % replacements.length]]);
  },
  (part, choice) => {
    if (!isObject(part["properties"])) return undefined;
    const names = Object.keys(part["properties"]);
    const name = names[choice % names.length];
    const required = (part["required"] as readonly string[] | undefined) ?? [];
    if (name === undefined || part["properties"][name] === false) return undefined;
    const rest = required.filter((one) => one !== name);
    return { ...part, required: rest.length < required.length ? rest : [...required, name] };
  },
  (part, choice) => {
    if (!isObject(part["properties"])) return undefined;
    const entries = Object.entries(part["properties"]);
    const name = entries[choice % entries.length]?.[0];
    if (name === undefined) return undefined;
    const required = ((part["required"] as readonly string[] | undefined) ?? []).filter((one) => one !== name);
    return { ...part, properties: Object.fromEntries(entries.filter(([one]) => one !== name)), required };
  },
  (part, choice) => {
    if (!isObject(part["properties"])) return undefined;
    const properties = { ...part["properties"], added: replacements[choice % replacements.length] };
    const required = (part["required"] as readonly string[] | undefined) ?? [];
    return { ...part, properties, ...(choice % 2 === 0 && { required: [...required, "added"] }) };
  },
  (part, choice) => {
    if (part["type"] !== "object") return undefined;
    if ("additionalProperties" in part) return without(part, "additionalProperties");
    return withKey(part, "additionalProperties", choice % 2 === 0 ? false : replacements[choice % 5]);
  },
  (part) =>
    part["type"] === "array" && part["prefixItems"] === undefined ? withKey(part, "uniqueItems", true) : undefined,
  (part, choice) => {
    const first = part["prefixItems"];
    if (!Array.isArray(first)) return undefined;
    return choice % 2 === 0
      ? withKey(part, "items", false)
      : withKey(part, "minItems", (choice >> 1) % (first.length + 2));
  },
];

/** A schema with some parts changed; `numbers` decide which, and how. */
export function mutateSchema(schema: JsonSchema, numbers: readonly number[]): JsonSchema {
  let current: unknown = schema;
  for (let index = 0; index + 2 < numbers.length; index += 3) {
    const [where = 0, how = 0, choice = 0] = numbers.slice(index, index + 3);
    const places = partsOf(current, []);
    const place = places[where % places.length];
    if (place === undefined) continue;
    current = replaceAt(current, place, (part) => {
      for (let offset = 0; offset < mutations.length; offset++) {
        const changed = mutations[(how + offset) % mutations.length]?.(part, choice);
        if (changed !== undefined) return { ...changed, ...(part["$defs"] !== undefined && { $defs: part["$defs"] }) };
      }
      return part;
    });
  }
  return current as JsonSchema;
}

type Place = readonly string[];

/** The places of all schemas in a schema. */
function partsOf(value: unknown, place: Place): readonly Place[] {
  if (!isObject(value)) return [];
  const found: Place[] = [place];
  for (const key of ["properties", "patternProperties", "$defs"]) {
    const named = value[key];
    if (isObject(named)) {
      for (const name of Object.keys(named)) {
        if (name !== "$schema") found.push(...partsOf(named[name], [...place, key, name]));
      }
    }
  }
  for (const key of ["anyOf", "prefixItems"]) {
    const list = value[key];
    if (Array.isArray(list)) found.push(...list.flatMap((item, at) => partsOf(item, [...place, key, String(at)])));
  }
  for (const key of ["items", "additionalProperties"]) found.push(...partsOf(value[key], [...place, key]));
  return found;
}

function replaceAt(value: unknown, [step, ...rest]: Place, change: (part: Part) => Part): unknown {
  if (step === undefined) return change(value as Part);
  if (Array.isArray(value)) return value.with(Number(step), replaceAt(value[Number(step)], rest, change));
  return Object.fromEntries(
    Object.entries(value as Part).map(([key, item]) => [key, key === step ? replaceAt(item, rest, change) : item]),
  );
}

function withKey(part: Part, key: string, value: unknown): Part {
  return { ...without(part, key), [key]: value };
}

function without(part: Part, key: string): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => name !== key));
}
