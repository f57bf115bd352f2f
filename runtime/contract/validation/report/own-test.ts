import { formats } from "../formats/formats.ts";
import { canonicalJson, isMultiple, isObject, isUnique, textLength } from "../json-value.ts";
import type { FullSchema } from "./schema.ts";

type Test = (value: unknown) => boolean;

const typeTests: Readonly<Record<string, Test>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  number: Number.isFinite,
  integer: Number.isInteger,
  array: Array.isArray,
  object: isObject,
};

/** Makes a test from the keywords of a schema that concern the value itself, without its fields or elements. */
export function ownTest(schema: FullSchema): Test {
  const tests = [...typeTest(schema), ...fixedTest(schema), ...textTests(schema), ...numberTests(schema)];
  tests.push(...arrayTests(schema));
  const [first, second, ...others] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (others.length === 0) return (value) => first(value) && second(value);
  return (value) => tests.every((test) => test(value));
}

function typeTest({ type }: FullSchema): readonly Test[] {
  if (type === undefined) return [];
  const names = typeof type === "string" ? [type] : type;
  const tests = names.map((name) => typeTests[name] ?? (() => false));
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? [only] : [(value) => tests.some((test) => test(value))];
}

function fixedTest(schema: FullSchema): readonly Test[] {
  const fixed = "const" in schema ? [schema.const] : schema.enum;
  if (fixed === undefined) return [];
  const same = new Set<unknown>(fixed);
  const equal = new Set(fixed.filter((item) => typeof item === "object").map(canonicalJson));
  return [
    (value) => same.has(value) || (equal.size > 0 && typeof value === "object" && equal.has(canonicalJson(value))),
  ];
}

function textTests(schema: FullSchema): readonly Test[] {
  const { minLength = 0, maxLength = Infinity, format } = schema;
  const tests: ((text: string) => boolean)[] = [];
  if (minLength > 0 || maxLength < Infinity) {
    tests.push((text) => {
      const length = textLength(text);
      return length >= minLength && length <= maxLength;
    });
  }
  const formatTest = format === undefined ? undefined : formats[format];
  if (formatTest !== undefined) tests.push(formatTest);
  for (const { pattern } of [schema, ...(schema.allOf ?? [])]) {
    if (pattern === undefined) continue;
    const compiled = new RegExp(pattern, "u");
    tests.push((text) => compiled.test(text));
  }
  return tests.map((test) => (value) => typeof value !== "string" || test(value));
}

function numberTests(schema: FullSchema): readonly Test[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const tests: ((value: number) => boolean)[] = [];
  if (minimum !== undefined) tests.push((value) => value >= minimum);
  if (maximum !== undefined) tests.push((value) => value <= maximum);
  if (exclusiveMinimum !== undefined) tests.push((value) => value > exclusiveMinimum);
  if (exclusiveMaximum !== undefined) tests.push((value) => value < exclusiveMaximum);
  if (multipleOf !== undefined) tests.push((value) => isMultiple(value, multipleOf));
  return tests.map((test) => (value) => typeof value !== "number" || test(value));
}

function arrayTests(schema: FullSchema): readonly Test[] {
  const { minItems = 0, prefixItems, items, uniqueItems } = schema;
  const isTuple = prefixItems !== undefined || items === false;
  const maxItems = items === false ? (prefixItems?.length ?? 0) : isTuple ? Infinity : (schema.maxItems ?? Infinity);
  const tests: ((values: readonly unknown[]) => boolean)[] = [];
  if (minItems > 0) tests.push((values) => values.length >= minItems);
  if (maxItems < Infinity) tests.push((values) => values.length <= maxItems);
  if (uniqueItems === true && !isTuple) tests.push(isUnique);
  return tests.map((test) => (value) => !Array.isArray(value) || test(value));
}
