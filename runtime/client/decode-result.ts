import type { ClassName } from "../contract/class-keyword.ts";
import { base64ToBytes } from "./encode-request.ts";

type TextClass = Exclude<ClassName, "Set" | "Map">;

/** The conversion of a JSON value to a value of TypeScript, as data. `null`: no conversion. */
export type Plan =
  | null
  | TextClass
  | { readonly set: Plan }
  | { readonly map: Plan }
  /** Conversion of an array. `first`: elements with a plan of their own; `list`: plan for all other elements. */
  | { readonly list: Plan; readonly first?: readonly Plan[] }
  /**
   * Conversion of an object. `patterns`: plans for the keys that match a pattern; `others`: the plan for all other
   * keys.
   */
  | {
      readonly keys: { readonly [key: string]: Plan };
      readonly patterns?: readonly (readonly [pattern: string, plan: Plan])[];
      readonly others?: Plan;
    }
  /** Conversion of a union: all choices that fit the value are used, since their plans do not contradict. */
  | { readonly any: readonly Choice[] }
  | { readonly ref: string };

/** A member of a union: a description of its values, and the plan for them. */
export interface Choice {
  readonly only: Only;
  readonly required: { readonly [key: string]: Only };
  readonly plan: Plan;
}

/** The only possible values, or their JSON type: a name of `typeof`, `array` or `null`. `null`: any value. */
export type Only = readonly unknown[] | string | null;

/** The plan of a result, and the named plans that it refers to. */
export interface ResultPlan {
  readonly root: Plan;
  readonly named?: { readonly [name: string]: Plan };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts a value from JSON by its plan. The service has already validated the value; values to which no part of the
 * plan applies are not changed.
 */
export function decodeResult({ root, named = {} }: ResultPlan, value: unknown): unknown {
  return decode(root);

  function decode(plan: Plan, part: unknown = value): unknown {
    if (plan === null) return part;
    if (typeof plan === "string") return typeof part === "string" ? decodeText(plan, part) : part;
    if ("ref" in plan) return decode(named[plan.ref] ?? null, part);
    if ("any" in plan) return choicesFor(plan.any, part).reduce((before, choice) => decode(choice.plan, before), part);
    if (Array.isArray(part)) {
      if ("set" in plan) return new Set(part.map((item: unknown) => decode(plan.set, item)));
      if (!("list" in plan)) return part;
      return part.map((item: unknown, index) => decode(plan.first?.[index] ?? plan.list, item));
    }
    // A value that another member of a union has converted, such as a `Map`, stays as it is.
    if (Object.prototype.toString.call(part) !== "[object Object]") return part;
    const entries = Object.entries(part as Fields);
    if ("map" in plan) return new Map(entries.map(([key, item]) => [key, decode(plan.map, item)]));
    if (!("keys" in plan)) return part;
    return Object.fromEntries(entries.map(([key, item]) => [key, decode(planOfKey(plan, key), item)]));
  }
}

function planOfKey({ keys, patterns = [], others }: Extract<Plan, { readonly keys: unknown }>, key: string): Plan {
  if (Object.hasOwn(keys, key)) return keys[key] ?? null;
  const matching = patterns.find(([pattern]) => new RegExp(pattern, "u").test(key));
  return matching?.[1] ?? others ?? null;
}

/** The members of a union to which a value belongs. */
function choicesFor(choices: readonly Choice[], value: unknown): readonly Choice[] {
  const fitting = choices.filter((choice) => fits(choice, value));
  // A field that one member requires with this very value, and another as any text, belongs to the first.
  const isAside = (choice: Choice): boolean =>
    fitting.some(({ required }) =>
      Object.entries(required).some(([key, only]) => Array.isArray(only) && typeof choice.required[key] === "string"),
    );
  return fitting.filter((choice) => !isAside(choice));
}

function fits({ only, required }: Choice, value: unknown): boolean {
  return (
    isOneOf(only, value) &&
    Object.entries(required).every(
      ([key, one]) => Object.hasOwn(value as Fields, key) && isOneOf(one, (value as Fields)[key]),
    )
  );
}

function isOneOf(only: Only, value: unknown): boolean {
  return Array.isArray(only) ? only.includes(value) : only === null || only === typeOf(value);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const digits = /^-?\d+$/;
const base64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/;
const moment = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d/i;

/**
 * Decodes a text. Returns the text unchanged if it is not valid for the class, because it then belongs to another
 * member of a union.
 */
function decodeText(name: TextClass, text: string): unknown {
  switch (name) {
    case "Date":
      return moment.test(text) ? new Date(text.toUpperCase()) : text;
    case "URL":
      return URL.canParse(text) ? new URL(text) : text;
    case "bigint":
      return digits.test(text) ? BigInt(text) : text;
    case "bytes":
      return base64.test(text) ? base64ToBytes(text) : text;
  }
}
