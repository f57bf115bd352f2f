import type { JsonSchema, Problem } from "../contract.ts";
import { expectedText, fixedValues } from "./expected.ts";
import { formats } from "./formats.ts";
import { canonicalJson, isMultiple, isObject, isUnique, textLength } from "./json-value.ts";
import { chooseMember } from "./report-union.ts";
import { asFullSchema, isOfType, resolveSchema, schemasOfKey } from "./schema.ts";
import type { FullSchema } from "./schema.ts";
import { isSecretName, shortenValue } from "./shorten.ts";
import { suggest } from "./suggest.ts";

export interface ReportOptions {
  /** Unknown keys are problems as well. */
  readonly strict?: boolean;
}

/** What one walk carries along: the root for references, the problems so far, and how much work is left. */
interface Walk {
  readonly root: FullSchema;
  readonly strict: boolean;
  readonly problems: Problem[];
  /** Visits left, shared by all tries of union members; a hostile value cannot make the report slow. */
  readonly budget: { visits: number };
}

const mostProblems = 100;
const mostVisits = 200_000;

/**
 * Lists everything about a wire value that a full schema refuses, at most 100 problems. It is called after the
 * compiled validator has refused, and interprets the schema: the same rules, slower, with texts.
 */
export function reportProblems(schema: JsonSchema, value: unknown, options: ReportOptions = {}): Problem[] {
  const root = asFullSchema(schema);
  const walk: Walk = { root, strict: options.strict === true, problems: [], budget: { visits: mostVisits } };
  visit(walk, root, value, "", "");
  if (walk.problems.length === 0 && walk.budget.visits < 0) {
    const expected = expectedText(root, root);
    return [
      {
        path: "",
        expected,
        message: `Expected ${expected}, got a value that is too intricate to say where it differs.`,
      },
    ];
  }
  return walk.problems.slice(0, mostProblems);
}

/** Adds the problems of one value. `name` is the key that it stands under, to keep secrets out of the texts. */
function visit(walk: Walk, schema: FullSchema, value: unknown, path: string, name: string): void {
  if (walk.problems.length >= mostProblems || walk.budget.visits-- <= 0) return;
  const target = resolveSchema(schema, walk.root);
  if (target.anyOf !== undefined) {
    visitUnion(walk, schema, target.anyOf, value, path, name);
    return;
  }
  if (!isAccepted(target, value)) {
    refuse(
      walk,
      path,
      name,
      expectedText(schema.$ref === undefined ? target : schema, walk.root),
      value,
      fixedValues(target, walk.root),
    );
    return;
  }
  if (Array.isArray(value)) visitArray(walk, target, value, path);
  else if (isObject(value)) visitObject(walk, target, value, path);
}

/** Everything that a schema says of the value itself, without its parts. */
function isAccepted(schema: FullSchema, value: unknown): boolean {
  const { type } = schema;
  if (type !== undefined && !isOfType(value, typeof type === "string" ? [type] : type)) return false;
  const fixed = "const" in schema ? [schema.const] : schema.enum;
  if (fixed !== undefined && !fixed.some((item) => item === value || canonicalJson(item) === canonicalJson(value)))
    return false;
  if (typeof value === "string") return isAcceptedText(schema, value);
  if (typeof value === "number") return isAcceptedNumber(schema, value);
  if (!Array.isArray(value)) return true;
  if (schema.prefixItems !== undefined || schema.items === false) {
    const longest = schema.items === false ? (schema.prefixItems?.length ?? 0) : Infinity;
    return value.length >= (schema.minItems ?? 0) && value.length <= longest;
  }
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)) return false;
  return schema.uniqueItems !== true || isUnique(value);
}

function isAcceptedText(schema: FullSchema, value: string): boolean {
  const { minLength = 0, maxLength = Infinity, format } = schema;
  const length = textLength(value);
  if (length < minLength || length > maxLength) return false;
  if (format !== undefined && formats[format]?.(value) === false) return false;
  return [schema, ...(schema.allOf ?? [])].every(
    ({ pattern }) => pattern === undefined || new RegExp(pattern, "u").test(value),
  );
}

function isAcceptedNumber(schema: FullSchema, value: number): boolean {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
    multipleOf,
  } = schema;
  if (value < minimum || value > maximum || value <= exclusiveMinimum || value >= exclusiveMaximum) return false;
  return multipleOf === undefined || isMultiple(value, multipleOf);
}

function visitArray(walk: Walk, schema: FullSchema, values: readonly unknown[], path: string): void {
  for (const [index, value] of values.entries()) {
    const item = schema.prefixItems?.[index] ?? schema.items;
    if (item !== undefined && item !== false) visit(walk, item, value, `${path}/${index}`, "");
  }
}

function visitObject(walk: Walk, schema: FullSchema, value: Record<string, unknown>, path: string): void {
  const { properties = {}, required = [] } = schema;
  const declared = Object.keys(properties);
  const present = Object.keys(value).filter((key) => value[key] !== undefined);
  const others = present.filter((key) => !Object.hasOwn(properties, key));
  const parts = new Map(others.map((key) => [key, schemasOfKey(schema, key)]));
  const patterns = Object.keys(schema.patternProperties ?? {});
  const unmatched = others.filter((key) => patterns.every((pattern) => !new RegExp(pattern, "u").test(key)));
  for (const key of declared) {
    const property = properties[key];
    if (property === undefined) continue;
    const isPresent = Object.hasOwn(value, key) && value[key] !== undefined;
    if (isPresent) visit(walk, property, value[key], pointer(path, key), key);
    else if (required.includes(key))
      missing(walk, pointer(path, key), key, expectedText(property, walk.root), suggest(key, unmatched));
  }
  for (const [key, known] of parts) {
    const before = walk.problems.length;
    for (const part of known) {
      // What is wrong for one pattern need not be said again for the next.
      if (walk.problems.length === before) visit(walk, part, value[key], pointer(path, key), key);
    }
    if (known.length === 0 && walk.strict && (schema.properties ?? schema.patternProperties) !== undefined)
      unknownKey(walk, pointer(path, key), key, schema, present);
  }
}

function visitUnion(
  walk: Walk,
  schema: FullSchema,
  members: readonly FullSchema[],
  value: unknown,
  path: string,
  name: string,
): void {
  const choice = chooseMember(members, value, walk.root, (member) => {
    const trial: Walk = { ...walk, problems: [] };
    visit(trial, member, value, path, name);
    return trial.problems;
  });
  if (choice === "none") refuse(walk, path, name, expectedText(schema, walk.root), value, undefined);
  else walk.problems.push(...choice);
}

function refuse(
  walk: Walk,
  path: string,
  name: string,
  expected: string,
  value: unknown,
  fixed: readonly unknown[] | undefined,
): void {
  const secret = isSecretName(name);
  const shown = secret ? undefined : shortenValue(value);
  const got = secret ? "another value" : typeof value === "symbol" ? value.description : JSON.stringify(shown);
  const texts = fixed?.filter((item) => typeof item === "string") ?? [];
  const near = typeof value === "string" && !secret ? suggest(value, texts) : undefined;
  const hint = near === undefined || near === value ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  walk.problems.push({
    path,
    expected,
    ...(shown !== undefined && { value: shown }),
    message: `Expected ${expected}, got ${got ?? "nothing"}.${hint}`,
  });
}

function missing(walk: Walk, path: string, key: string, expected: string, near: string | undefined): void {
  const hint = near === undefined ? "" : `; ${JSON.stringify(near)} may be a misspelling of it`;
  walk.problems.push({
    path,
    expected,
    message: `The key ${JSON.stringify(key)} (${expected}) is missing${hint}.`,
  });
}

function unknownKey(
  walk: Walk,
  path: string,
  key: string,
  { properties = {}, patternProperties = {} }: FullSchema,
  present: readonly string[],
): void {
  const near = suggest(
    key,
    Object.keys(properties).filter((candidate) => !present.includes(candidate)),
  );
  const hint = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  const patterns = Object.keys(patternProperties).map((pattern) => `/${pattern}/`);
  const forms = patterns.length === 0 ? "" : ` and does not match ${patterns.join(" or ")}`;
  walk.problems.push({
    path,
    expected: "no such key",
    message: `The key ${JSON.stringify(key.slice(0, 100))} is not known${forms}.${hint}`,
  });
}

function pointer(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
