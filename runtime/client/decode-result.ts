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
  /** Conversion of a union: the first choice that fits the value is used. */
  | { readonly any: readonly Choice[] }
  | { readonly ref: string };

/** A member of a union: a description of its values, and the plan for them. */
export interface Choice {
  /** JSON type of the values: a name of `typeof`, `array` or `null`. Undefined: any type. */
  readonly type?: string;
  /** List of the only possible values. */
  readonly values?: readonly unknown[];
  readonly required?: readonly string[];
  /** Fields whose only possible values are known. */
  readonly fixed?: { readonly [key: string]: readonly unknown[] };
  readonly plan: Plan;
}

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
    if ("any" in plan) return decode(plan.any.find((choice) => fits(choice, part))?.plan ?? null, part);
    if (Array.isArray(part)) {
      if ("set" in plan) return new Set(part.map((item: unknown) => decode(plan.set, item)));
      if (!("list" in plan)) return part;
      return part.map((item: unknown, index) => decode(plan.first?.[index] ?? plan.list, item));
    }
    if (typeof part !== "object" || part === null) return part;
    if ("map" in plan) return new Map(Object.entries(part).map(([key, item]) => [key, decode(plan.map, item)]));
    if (!("keys" in plan)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, decode(planOfKey(plan, key), item)]));
  }
}

function planOfKey({ keys, patterns = [], others }: Extract<Plan, { readonly keys: unknown }>, key: string): Plan {
  if (Object.hasOwn(keys, key)) return keys[key] ?? null;
  const matching = patterns.find(([pattern]) => new RegExp(pattern, "u").test(key));
  return matching?.[1] ?? others ?? null;
}

function fits({ type, values, required = [], fixed = {}, plan }: Choice, value: unknown): boolean {
  if (values !== undefined) return values.includes(value);
  if (type !== undefined && type !== typeOf(value)) return false;
  if (typeof value === "string") return typeof plan !== "string" || decodeText(plan, value) !== value;
  if (required.some((key) => !Object.hasOwn(value as Fields, key))) return false;
  return Object.entries(fixed).every(([key, only]) => only.includes((value as Fields)[key]));
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
