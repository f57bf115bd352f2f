import type { JsonSchema } from "../../contract.ts";
import { setKey } from "./codecs.ts";
import { isObject } from "../json-value.ts";
import { rootRule, type KeyRules, type Rule, type UnionRule } from "../report/rule.ts";
import { asFullSchema, isOfType } from "../report/schema.ts";

/**
 * Converts values to the type that a schema requires: `"12"` to a number, `"true"` to a boolean, one value to an array
 * of one. For tools with `ToolOptions.coerce`, before validation. A value that cannot be converted stays as it is, and
 * the validator refuses it. The argument is not changed.
 */
export function coerceValue(schema: JsonSchema, value: unknown): unknown {
  return coerce(rootRule(asFullSchema(schema)), value);
}

function coerce(rule: Rule, value: unknown): unknown {
  const types = rule.types();
  if (types === undefined) return value;
  if (isOfType(value, types) && (typeof value !== "string" || isLegalText(rule, value)))
    return coerceParts(rule, value);
  const scalar = typeof value === "string" ? coerceText(value, types) : undefined;
  if (scalar !== undefined) return scalar;
  if (!types.includes("array") || value === null || value === undefined || Array.isArray(value)) return value;
  return coerceParts(firstList(rule), [value]);
}

/** False for a text that no member of a union accepts: `"12"` for `number | "auto"` is converted. */
function isLegalText(rule: Rule, text: string): boolean {
  return rule.union()?.members.some((member) => isLegalText(member, text)) ?? rule.isLegal(text);
}

/** Parses a number in the syntax of JSON, with blanks around it; `""`, `0x10` and `Infinity` are not numbers. */
function coerceText(text: string, types: readonly string[]): number | boolean | undefined {
  const plain = text.trim();
  if (types.includes("number") || types.includes("integer")) {
    const number = /^-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/.test(plain) ? Number(plain) : NaN;
    if (Number.isFinite(number) && (types.includes("number") || Number.isInteger(number))) return number;
  }
  if (types.includes("boolean") && (plain === "true" || plain === "false")) return plain === "true";
  return undefined;
}

function coerceParts(rule: Rule | undefined, value: unknown): unknown {
  if (rule === undefined || typeof value !== "object" || value === null) return value;
  const union = rule.union();
  if (union !== undefined) return coerceParts(memberFor(union, value), value);
  if (Array.isArray(value)) {
    const { first, rest } = rule.elements();
    return value.map((item: unknown, index) => {
      const part = first[index] ?? rest;
      return part === undefined ? item : coerce(part, item);
    });
  }
  const keys = rule.keys();
  const copy = {};
  for (const [key, item] of Object.entries(value)) {
    const coerced = rulesOfKey(keys, key).reduce<unknown>((value, part) => coerce(part, value), item);
    setKey(copy, key, coerced);
  }
  return copy;
}

/** Returns the rules that apply to the value of a key; none for an unknown key. */
function rulesOfKey({ byKey, patterns, others }: KeyRules, key: string): readonly Rule[] {
  const field = byKey.get(key);
  if (field !== undefined) return [field.rule];
  const matching = patterns.filter(({ pattern }) => pattern.test(key)).map(({ rule }) => rule);
  return matching.length > 0 || others === undefined ? matching : [others];
}

function membersOfType(union: UnionRule, type: string): readonly Rule[] {
  return union.members.filter((member) => member.types()?.includes(type));
}

function firstList(rule: Rule): Rule | undefined {
  const union = rule.union();
  return union === undefined ? rule : membersOfType(union, "array")[0];
}

/**
 * Selects the union member by which an object or array is coerced: the only member of its kind, or the member with the
 * same fixed fields.
 */
function memberFor(union: UnionRule, value: object): Rule | undefined {
  const members = membersOfType(union, Array.isArray(value) ? "array" : "object");
  if (members.length <= 1) return members[0];
  const named = members.filter((member) => isObject(value) && fixedFieldsMatch(member, value));
  // If no field decides, a guess could change the meaning of the value.
  return named.length === 1 ? named[0] : undefined;
}

function fixedFieldsMatch(member: Rule, value: Record<string, unknown>): boolean {
  const fixed = member.keys().fields.filter(({ rule, isRequired }) => isRequired && rule.constant !== undefined);
  return (
    fixed.length > 0 && fixed.every(({ key, rule }) => Object.hasOwn(value, key) && value[key] === rule.constant?.value)
  );
}
