import { integerPattern } from "../../plugin/emit/facts/integer-pattern.ts";
import { isObject } from "../../runtime/contract/validation/json-value.ts";

export type Part = Record<string, unknown>;

/**
 * A change of one part of a schema, chosen by numbers; undefined where the part has nothing to change in that way.
 * `named` are the definitions that a reference may name.
 */
export type Mutation = (part: Part, choice: number, named: Part) => Part | undefined;

const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const sizes: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
};
const patterns = ["^a", "b$", "^[a-z]+$", "^\\p{L}*$", "^(?:0|-?[1-9][0-9]*)$", "^id-\\d+$"];
const keyPatterns = ["^b", "^[\\s\\S]*[bc]$", "^(?:0|[1-9][0-9]*)$"];
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
export const mutations: readonly Mutation[] = [
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
    const keys = [
      ...bounds,
      "minLength",
      "maxLength",
      "minItems",
      "maxItems",
      "uniqueItems",
      "pattern",
      "allOf",
      "format",
    ];
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
      : withKey(part, "enum", [...new Set([...values, typeof values[0] === "number" ? 42 : "new"])]);
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
    return { ...part, properties, ...(choice % 2 === 0 && { required: [...new Set([...required, "added"])] }) };
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
  // A constant changes, goes, or becomes one of two.
  (part, choice) => {
    const value = part["const"];
    if (value === undefined) return undefined;
    const other = typeof value === "number" ? value + 7 : value === true ? false : `${value}2`;
    if (choice % 3 === 0) return withKey(part, "const", other);
    return choice % 3 === 1 ? without(part, "const") : { ...without(part, "const"), enum: [value, other] };
  },
  // A reference names another type, or its type is written in its place.
  (part, choice, named) => {
    if (typeof part["$ref"] !== "string") return undefined;
    const names = Object.keys(named);
    const name = names[choice % names.length];
    if (choice % 3 > 0) return name === undefined ? undefined : withKey(part, "$ref", `#/$defs/${name}`);
    const target = named[part["$ref"].slice("#/$defs/".length)];
    return isObject(target) ? target : undefined;
  },
  // A part becomes a reference, which may make its type recursive.
  (_, choice, named) => {
    const names = Object.keys(named);
    return names.length === 0 ? undefined : { $ref: `#/$defs/${names[choice % names.length]}` };
  },
  // Values under keys of a form come, go, or get another form.
  (part, choice) => {
    if (part["type"] !== "object") return undefined;
    const present = isObject(part["patternProperties"]) ? Object.entries(part["patternProperties"]) : [];
    const index = choice % Math.max(1, present.length);
    const form = keyPatterns[choice % keyPatterns.length] ?? "";
    // The forms that tenon writes leave out the keys that have types of their own.
    if (Object.keys(part["properties"] ?? {}).some((key) => new RegExp(form, "u").test(key))) return undefined;
    const added: [string, unknown] = [form, present[index]?.[1] ?? replacements[choice % 5]];
    const entries =
      choice % 4 === 0 ? [...present, added] : present.toSpliced(index, 1, ...(choice % 4 > 1 ? [added] : []));
    return withKey(part, "patternProperties", Object.fromEntries(entries));
  },
  // A key is no longer allowed.
  (part, choice) => {
    if (!isObject(part["properties"])) return undefined;
    const names = Object.keys(part["properties"]).filter((one) => one !== "$schema");
    const name = names[choice % names.length];
    if (name === undefined) return undefined;
    const required = ((part["required"] as readonly string[] | undefined) ?? []).filter((one) => one !== name);
    return { ...part, properties: { ...part["properties"], [name]: false }, required };
  },
  // Bounds of a bigint.
  (part, choice) =>
    typeof part["pattern"] === "string" && part["type"] === "string" && part["maxLength"] !== undefined
      ? withKey(part, "pattern", integerPattern(["-7", "0", "12", undefined][choice % 4], ["99", "1000"][choice % 2]))
      : undefined,
];

function withKey(part: Part, key: string, value: unknown): Part {
  return { ...without(part, key), [key]: value };
}

function without(part: Part, key: string): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => name !== key));
}
