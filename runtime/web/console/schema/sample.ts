import { toJson, type Json } from "../base/json.ts";
import { isAllowed, sampleText } from "./sample-text.ts";
import { choicesOf, fieldsOf, isRequired, itemOf, resolve, typesOf, valuesOf, type Schema } from "./schema.ts";

/** Depth from which the alternative that ends soonest is chosen, so that recursive types end. */
const deepest = 6;
/** Depth of a type that no value fits: each contains itself. */
const endless = 20;

/** A valid value of a schema: the author's example, default or constant if there is one, else the smallest value. */
export function sampleOf(schema: Schema, root: Schema, depth = 0): Json {
  const at = resolve(schema, root);
  const given = [...(at.examples ?? []), at.default, ...(valuesOf(at) ?? [])];
  const first = given.find((one) => one !== undefined && isAllowed(one, at));
  if (first !== undefined) return first;
  const choices = choicesOf(at);
  if (choices !== undefined) return sampleOf(simplest(choices, root, depth), root, depth + 1);
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
      return sampleText(at);
    default:
      return at.type === "null" ? null : {};
  }
}

/** A value for one more item of a list, different from the others where `uniqueItems` requires it. */
export function nextItem(list: Schema, items: readonly Json[], root: Schema, depth = 0): Json {
  const schema = itemOf(list, items.length);
  const made = sampleOf(schema, root, depth);
  if (list.uniqueItems !== true) return made;
  const known = new Set(items.map((item) => toJson(item)));
  for (let turn = 0; turn <= items.length; turn++) {
    const other = varied(made, schema, root, turn);
    if (!known.has(toJson(other))) return other;
  }
  return made;
}

function varied(value: Json, schema: Schema, root: Schema, turn: number): Json {
  const { enum: choices, multipleOf = 1 } = resolve(schema, root);
  if (choices !== undefined) return choices[turn] ?? value;
  if (typeof value === "number") return value + turn * multipleOf;
  return typeof value === "string" && turn > 0 ? value + turn : value;
}

/** At great depth, chooses the alternative that ends soonest. */
function simplest(choices: readonly Schema[], root: Schema, depth: number): Schema {
  let [found] = choices;
  if (depth > deepest) {
    for (let levels = deepest; levels >= 0; levels--)
      found = choices.find((choice) => endsWithin(levels, choice, root)) ?? found;
  }
  return found ?? {};
}

/** True if the smallest value of a schema has at most so many levels below it. */
function endsWithin(levels: number, schema: Schema, root: Schema): boolean {
  const at = resolve(schema, root);
  const ends = (part: Schema): boolean => levels > 0 && endsWithin(levels - 1, part, root);
  const { prefixItems = [], minItems = 0 } = at;
  return (
    choicesOf(at)?.some(ends) ??
    (prefixItems.every(ends) &&
      (minItems <= prefixItems.length || ends(itemOf(at, minItems))) &&
      fieldsOf(at).every(([key, field]) => !isRequired(at, key) || ends(field)))
  );
}

function objectSample(schema: Schema, root: Schema, depth: number): Json {
  if (depth > endless) return {};
  const entries = fieldsOf(schema)
    .filter(([key, field]) => isRequired(schema, key) || (depth < 2 && hasExample(field)))
    .map(([key, field]) => [key, sampleOf(field, root, depth + 1)] as const);
  return Object.fromEntries(entries);
}

function hasExample({ examples, default: usual }: Schema): boolean {
  return examples !== undefined || usual !== undefined;
}

function listSample(schema: Schema, root: Schema, depth: number): Json {
  const { prefixItems = [], minItems = 0 } = schema;
  const made: Json[] = [];
  while (made.length < Math.max(prefixItems.length, Math.min(minItems, 50)))
    made.push(nextItem(schema, made, root, depth + 1));
  return made;
}

/** The smallest allowed number from 0 on, else the largest below 0. */
function numberSample(schema: Schema): number {
  const { type, multipleOf, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const step = multipleOf ?? 1;
  const low = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const high = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const up = Math.ceil(low / step) * step;
  const down = Math.floor(high / step) * step;
  const all = [0, up, up + step, down, down - step, ...(type === "integer" ? [] : [low, high, (low + high) / 2])];
  const fits = (one: number): boolean =>
    Number.isFinite(one) && one >= low && one <= high && one !== exclusiveMinimum && one !== exclusiveMaximum;
  return all.find(fits) ?? 0;
}
