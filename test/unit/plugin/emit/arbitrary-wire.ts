import fc from "fast-check";
import type { BigIntType, TypeModel } from "../../../../plugin/model/type.ts";
import { numberBounds } from "../../../../plugin/model/number-bounds.ts";
import { textsOf } from "../../../fuzz/texts-of-pattern.ts";
import { keys, type TypeCase } from "./arbitrary-type.ts";

const texts = [
  "",
  "a",
  "b",
  "ab",
  "aé",
  "😀",
  "\ud800",
  "id-0",
  "id-07",
  "a/b",
  "1",
  "-1",
  "-0",
  "007",
  "QUJD",
  "QQ==",
  "QR==",
  "Q",
  "AB=C",
  "2026-01-31T12:00:00Z",
  "2026-02-30T12:00:00Z",
  "2016-12-31t23:59:60z",
  "2026-01-31",
  "12:00:00Z",
  "P1D",
  "PT",
  "a@b.de",
  "a@b",
  "example.org",
  "localhost",
  "127.0.0.1",
  "::1",
  "http://a.de/b?c#d",
  "urn:a:b",
  "/a/b",
  "1/a",
  "{a}",
  "[",
  "k0",
  "k1",
  "true",
  "0190a1b2-0000-7000-8000-000000000000",
  "urn:test:one.1",
];
const numbers = [
  0, -0, 1, -1, 1.5, 0.3, 2, 10, 4294967295, 4294967296, -2147483649, 9007199254740991, 9007199254740992, 1e21, 1e308,
  5e-324, 0.1, 2.5,
];

/** Any JSON value, with texts and keys that the types look for. */
export const anyWire: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<unknown>(null, true, false, ...texts, ...numbers),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    fc.tuple(tie("value")).map(([value]) => ({ $schema: "urn:test:one.1", a: value })),
  ),
})).value;

/** The integers on both sides of each bound. */
function boundary({ minimum, maximum }: BigIntType): readonly string[] {
  const bounds = [minimum, maximum].flatMap((bound) => (bound === undefined ? [] : BigInt(bound)));
  return bounds.flatMap((bound) => [bound - 1n, bound, bound + 1n]).map(String);
}

/** Values that a type mostly accepts. */
export function wireOf({ type, definitions }: TypeCase, depth = 0): fc.Arbitrary<unknown> {
  const of = (part: TypeModel): fc.Arbitrary<unknown> => wireOf({ type: part, definitions }, depth + 1);
  switch (type.kind) {
    case "unknown":
    case "never":
      return anyWire;
    case "boolean":
      return fc.boolean();
    case "literal":
      return fc.constant(type.value);
    case "string": {
      const [pattern] = type.patterns ?? [];
      return pattern === undefined ? fc.constantFrom(...texts) : fc.oneof(fc.constantFrom(...texts), textsOf(pattern));
    }
    case "template":
      return textsOf(type.pattern);
    case "number": {
      const { minimum = -3, maximum = 3 } = numberBounds(type);
      return fc.oneof(fc.constantFrom(...numbers), fc.constantFrom(minimum, maximum, Math.ceil(minimum), minimum + 1));
    }
    case "date":
      return fc.constantFrom("2026-01-31T12:00:00Z", "2016-12-31T23:59:60.5Z", "0001-01-01t00:00:00.123456789+23:59");
    case "url":
      return fc.constantFrom("http://a.de/b?c#d", "urn:a:b", "http://[::1]:80/");
    case "bigint":
      return fc.constantFrom("0", "-1", "123456789012345678901234567890", ...boundary(type));
    case "bytes":
      return fc.constantFrom("", "QUJD", "QQ==");
    case "array":
    case "set":
      return depth > 6
        ? fc.constant([])
        : fc.array(of(type.items), {
            minLength: Math.min(type.minItems ?? 0, 4),
            maxLength: Math.max(type.minItems ?? 0, Math.min(type.maxItems ?? 3, 4)),
          });
    case "map":
      return depth > 6
        ? fc.constant({})
        : fc.array(fc.tuple(keys, of(type.values)), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
    case "tuple":
      return depth > 8
        ? fc.constant([])
        : fc.tuple(
            ...type.elements.map((element) => of(element.type)),
            ...(type.rest === undefined ? [] : [of(type.rest)]),
          );
    case "ref":
      return depth > 6 ? fc.constant({}) : of(definitions[type.name] ?? { kind: "unknown" });
    case "union":
      return fc.oneof(...type.members.map(of));
    case "object": {
      if (depth > 6) return fc.constant({});
      const fields = type.fields.map((field) => {
        const entry = of(field.type).map((value): [string, unknown][] => [[field.key, value]]);
        return field.optional === true ? fc.oneof(entry, fc.constant<[string, unknown][]>([])) : entry;
      });
      const others = type.index === undefined ? [] : [fc.array(fc.tuple(keys, of(type.index)), { maxLength: 2 })];
      const matched = (type.patterns ?? []).map((entry) =>
        fc.array(fc.tuple(fc.oneof(keys, textsOf(entry.pattern)), of(entry.type)), { maxLength: 2 }),
      );
      const urn = type.urn === undefined ? [] : [fc.constant<[string, unknown][]>([["$schema", type.urn]])];
      return fc
        .tuple(...urn, ...others, ...matched, ...fields)
        .map((parts) => Object.fromEntries(parts.flat() as [string, unknown][]));
    }
  }
}

/** A value with one part replaced, removed or added. */
export function mutated(base: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(base, fc.array(fc.nat(5), { maxLength: 4 }), anyWire, keys, fc.nat(3))
    .map(([value, path, replacement, key, mode]) => mutate(value, path, replacement, key, mode));
}

function mutate(value: unknown, path: readonly number[], replacement: unknown, key: string, mode: number): unknown {
  if (typeof value !== "object" || value === null) return replacement;
  const [step = 0, ...rest] = path;
  if (Array.isArray(value)) {
    if (mode === 1 || value.length === 0) return [...value, replacement];
    const index = step % value.length;
    if (mode === 2 && rest.length === 0) return value.toSpliced(index, 1);
    return value.with(index, path.length === 0 ? replacement : mutate(value[index], rest, replacement, key, mode));
  }
  const entries = Object.entries(value);
  if (mode === 1 || entries.length === 0) return Object.fromEntries([...entries, [key, replacement]]);
  const index = step % entries.length;
  if (mode === 2 && rest.length === 0) return Object.fromEntries(entries.toSpliced(index, 1));
  return Object.fromEntries(
    entries.map(([name, item], at) => [
      name,
      at === index ? (path.length === 0 ? replacement : mutate(item, rest, replacement, key, mode)) : item,
    ]),
  );
}
