import type { JsonSchema, Problem } from "../../contract.ts";
import { isObject } from "../json-value.ts";
import { isPresent, missing, type Path, pointer, refused, unknownKey } from "./problem.ts";
import { rootRule, type Rule, type UnionRule } from "./rule.ts";
import { asFullSchema } from "./schema.ts";

export interface ReportOptions {
  /** Reports unknown keys as well. */
  readonly strict?: boolean;
  /** True if the compiled validator has accepted the value, so that only unknown keys are sought. */
  readonly isLegal?: boolean;
}

/** State of one walk through a value. */
interface Walk {
  readonly strict: boolean;
  /** Current position: keys and indexes from the root. */
  readonly path: (string | number)[];
  found: Found[];
  /** True inside of a union member or of one of several key patterns, where a value is visited more than once. */
  repeats: boolean;
  /**
   * Remaining number of repeated visits, which the whole walk shares, so that a hostile value cannot make the report
   * slow. All others are one for each part of the value.
   */
  visits: number;
}

/** A problem. Its texts are made at the end, for the reported problems only. */
interface Found {
  readonly tell: () => Problem;
  /** Path of a key that is not known. */
  readonly unknown?: Path;
}

const mostProblems = 100;
const mostVisits = 200_000;

/**
 * Lists up to 100 problems of a wire value that does not match a full schema. It is called after the compiled validator
 * has refused the value. It interprets the schema by the same rules, which is slower but gives texts.
 */
export function reportProblems(schema: JsonSchema, value: unknown, options: ReportOptions = {}): Problem[] {
  const rule = rootRule(asFullSchema(schema));
  const walk: Walk = { strict: options.strict === true, path: [], found: [], repeats: false, visits: mostVisits };
  visit(walk, rule, value);
  if (walk.found.length === 0 && walk.visits < 0) {
    if (options.isLegal === true) return [];
    const expected = rule.expected();
    const message = `Expected ${expected}, got a value that is too intricate to say where it differs.`;
    return [{ path: "", expected, message }];
  }
  if (walk.found.length <= mostProblems) return walk.found.map(({ tell }) => tell());
  const shown = walk.found.slice(0, mostProblems - 1).map(({ tell }) => tell());
  return [
    ...shown,
    { path: "", expected: "fewer problems", message: `There are more; these are the first ${shown.length}.` },
  ];
}

/** True when a report would find no problems. Texts are not made, since they cost more than the check. */
export function hasNoProblem(schema: JsonSchema, value: unknown, options: ReportOptions = {}): boolean {
  const walk: Walk = { strict: options.strict === true, path: [], found: [], repeats: false, visits: mostVisits };
  visit(walk, rootRule(asFullSchema(schema)), value);
  return walk.found.length === 0 && walk.visits >= 0;
}

/** Adds the problems of one value. */
function visit(walk: Walk, rule: Rule, value: unknown): void {
  if (walk.found.length > mostProblems || (walk.repeats && walk.visits-- <= 0)) return;
  const union = rule.union();
  if (union !== undefined) visitUnion(walk, rule, union, value);
  else if (!rule.isLegal(value)) refuse(walk, rule, value);
  else if (Array.isArray(value)) visitArray(walk, rule, value);
  else if (isObject(value)) visitObject(walk, rule, value);
}

function visitPart(walk: Walk, rule: Rule, value: unknown, step: string | number): void {
  walk.path.push(step);
  visit(walk, rule, value);
  walk.path.pop();
}

function refuse(walk: Walk, rule: Rule, value: unknown): void {
  const path = [...walk.path];
  walk.found.push({ tell: () => refused(path, rule, value) });
}

function visitArray(walk: Walk, rule: Rule, values: readonly unknown[]): void {
  const { first, rest } = rule.elements();
  if (first.length === 0 && rest === undefined) return;
  for (let index = 0; index < values.length; index++) {
    const element = first[index] ?? rest;
    if (element !== undefined) visitPart(walk, element, values[index], index);
  }
}

function visitObject(walk: Walk, rule: Rule, value: Record<string, unknown>): void {
  const keys = rule.keys();
  for (const field of keys.fields) {
    const { key, rule } = field;
    if (isPresent(value, key)) visitPart(walk, rule, value[key], key);
    else if (field.isRequired) {
      const path = [...walk.path];
      walk.found.push({ tell: () => missing(path, key, rule, keys, value) });
    }
  }
  if (keys.patterns.length > 0 || keys.others !== undefined || (walk.strict && keys.isClosed))
    visitOtherKeys(walk, rule, value);
}

function visitOtherKeys(walk: Walk, rule: Rule, value: Record<string, unknown>): void {
  const keys = rule.keys();
  for (const key of Object.keys(value)) {
    if (value[key] === undefined || keys.byKey.has(key)) continue;
    const before = walk.found.length;
    const matching = keys.patterns.filter(({ pattern }) => pattern.test(key));
    for (const { rule } of matching) {
      // If one pattern has reported the value, the next one does not report it again.
      if (walk.found.length === before)
        repeatedly(walk, matching.length > 1, () => visitPart(walk, rule, value[key], key));
    }
    if (matching.length > 0) continue;
    if (keys.others !== undefined) visitPart(walk, keys.others, value[key], key);
    else if (walk.strict && keys.isClosed) {
      const path = [...walk.path];
      walk.found.push({ tell: () => unknownKey(path, key, keys, value), unknown: [...path, key] });
    }
  }
}

/**
 * Visits the union member that a value was probably meant to be: the member that a discriminating field names, else the
 * member with the fewest problems. A scalar, or a value of a type that no member has, gets one problem about the whole
 * union, which is more helpful.
 */
function visitUnion(walk: Walk, rule: Rule, union: UnionRule, value: unknown): void {
  if (typeof value !== "object" || value === null) {
    if (!isLegalScalar(union, value)) refuse(walk, rule, value);
    return;
  }
  const { discriminator } = union;
  if (discriminator !== undefined && isObject(value)) {
    const { key, byValue, asks } = discriminator;
    visit(walk, (Object.hasOwn(value, key) ? byValue.get(value[key]) : undefined) ?? asks, value);
    return;
  }
  const members = Array.isArray(value) ? union.arrays : union.objects;
  const [only, other] = members;
  if (only !== undefined && other === undefined) return visit(walk, only, value);
  let fewest: readonly Found[] | undefined;
  const fitting: (readonly Found[])[] = [];
  for (const member of members) {
    const found = attempt(walk, member, value);
    if (found.length === 0) return;
    if (found.every(({ unknown }) => unknown !== undefined)) fitting.push(found);
    if (fewest === undefined || found.length < fewest.length) fewest = found;
  }
  if (fewest === undefined) refuse(walk, rule, value);
  else walk.found.push(...(fitting.length > 1 ? unknownToAll(fitting) : (fitting[0] ?? fewest)));
}

/** The keys that none of the members knows which otherwise accept the value: it may have the keys of several. */
function unknownToAll([first = [], ...others]: readonly (readonly Found[])[]): readonly Found[] {
  const pathOf = ({ unknown = [] }: Found): string => pointer(unknown);
  const known = others.map((found) => new Set(found.map(pathOf)));
  return first.filter((one) => known.every((paths) => paths.has(pathOf(one))));
}

function isLegalScalar({ members }: UnionRule, value: unknown): boolean {
  return members.some((member) => {
    const union = member.union();
    return union === undefined ? member.isLegal(value) : isLegalScalar(union, value);
  });
}

/** Returns the problems that a value has as a member of a union. */
function attempt(walk: Walk, rule: Rule, value: object): Walk["found"] {
  const { found } = walk;
  walk.found = [];
  repeatedly(walk, true, () => visit(walk, rule, value));
  const own = walk.found;
  walk.found = found;
  return own;
}

/** Visits a part of a value that is visited several times. */
function repeatedly(walk: Walk, repeats: boolean, visitIt: () => void): void {
  const before = walk.repeats;
  walk.repeats ||= repeats;
  visitIt();
  walk.repeats = before;
}
