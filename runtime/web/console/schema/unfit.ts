import { isRecord, toJson, type Json } from "../base/json.ts";
import { pointerOf, type Path } from "../base/pointer.ts";
import { describeLimit, describeType } from "./describe.ts";
import { fitOf } from "./matches.ts";
import { isAllowed } from "./sample-text.ts";
import { choicesOf, entryOf, fieldsOf, isRequired, itemOf, resolve, type Schema } from "./schema.ts";

/** True if a number, or the length of a text or a list, is beyond a limit. */
const isBeyond: Readonly<Record<string, (size: number, limit: number) => boolean>> = {
  minimum: (size, limit) => size < limit,
  exclusiveMinimum: (size, limit) => size <= limit,
  maximum: (size, limit) => size > limit,
  exclusiveMaximum: (size, limit) => size >= limit,
  multipleOf: (size, limit) => Math.abs(size / limit - Math.round(size / limit)) > 1e-9,
  minLength: (size, limit) => size < limit,
  maxLength: (size, limit) => size > limit,
  minItems: (size, limit) => size < limit,
  maxItems: (size, limit) => size > limit,
};

/** Texts of formats that the input of a field does not ensure. */
const isOfFormat: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": isTime,
  date: isTime,
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uri: (text) => URL.canParse(text),
};

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

/**
 * The parts of a value that do not fit a schema, by JSON Pointer, each with a sentence about what is expected there.
 *
 * @param path Path of the value, with which the pointers begin
 */
export function unfitParts(value: Json, schema: Schema, root: Schema, path: Path): ReadonlyMap<string, string> {
  const at = resolve(schema, root);
  const here = (expected: string): ReadonlyMap<string, string> => new Map([[pointerOf(path), `Expected ${expected}.`]]);
  const choices = choicesOf(at);
  if (choices !== undefined) {
    const fits = choices.map((choice) => fitOf(value, choice, root));
    const best = choices[fits.indexOf(Math.max(...fits))];
    const isKnown = isRecord(value) || Math.max(...fits) >= 0;
    return best !== undefined && isKnown ? unfitParts(value, best, root, path) : here(describeType(schema, root));
  }
  // Of an object, the points depend on its fields, which are looked at below.
  const isObject = isRecord(value) && at.const === undefined && at.enum === undefined;
  if (fitOf(value, isObject ? { type: at.type ?? "object" } : at, root) < 0) return here(describeType(schema, root));
  if (typeof value === "number" && at.type === "integer" && !Number.isInteger(value)) return here("integer");
  const broken = limitOf(value, at);
  if (broken !== undefined) return here(broken);
  return new Map(
    partsOf(value, at).flatMap(([key, part, field]) => {
      const inner = [...path, key];
      if (part === undefined) return [[pointerOf(inner), "It is missing."] as [string, string]];
      return [...unfitParts(part, field, root, inner)];
    }),
  );
}

/** Describes the limit that a value without its parts does not keep; undefined if it keeps all. */
function limitOf(value: Json, schema: Schema): string | undefined {
  const { format = "", pattern, uniqueItems, $comment } = schema;
  if ((typeof value !== "object" && typeof value !== "boolean") || Array.isArray(value)) {
    const size = typeof value === "string" ? [...value].length : typeof value === "number" ? value : value.length;
    const key = Object.keys(isBeyond).find((one) => {
      const limit = schema[one as keyof Schema];
      return typeof limit === "number" && isBeyond[one]?.(size, limit);
    });
    if (key !== undefined) return describeLimit(key, schema[key as keyof Schema]);
  }
  if (typeof value === "string") {
    if (isOfFormat[format]?.(value) === false) return format;
    if (!isAllowed(value, schema)) return $comment ?? (pattern === undefined ? "another text" : `/${pattern}/`);
  }
  if (Array.isArray(value) && uniqueItems === true && new Set(value.map((item) => toJson(item))).size < value.length)
    return "no item twice";
  return undefined;
}

/** The parts of a list or an object with their schemas. The value of a missing field is undefined. */
function partsOf(value: Json, schema: Schema): readonly (readonly [string | number, Json | undefined, Schema])[] {
  if (Array.isArray(value)) return value.map((item: Json, index) => [index, item, itemOf(schema, index)] as const);
  if (!isRecord(value)) return [];
  const { properties = {} } = schema;
  const entry = entryOf(schema);
  const own = (key: string): Json | undefined => (Object.hasOwn(value, key) ? (value[key] as Json) : undefined);
  return [
    ...fieldsOf(schema).flatMap(([key, field]) =>
      own(key) !== undefined || isRequired(schema, key) ? [[key, own(key), field] as const] : [],
    ),
    ...Object.keys(value).flatMap((key) =>
      entry !== undefined && !Object.hasOwn(properties, key) ? [[key, own(key), entry] as const] : [],
    ),
  ];
}
