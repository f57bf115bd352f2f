import fc from "fast-check";
import type { FieldModel, KeyPattern, TypeModel } from "../../../../plugin/model/type.ts";

/** A type with the definitions that its references name. */
export interface TypeCase {
  readonly type: TypeModel;
  readonly definitions: Readonly<Record<string, TypeModel>>;
}

/** Keys that are easy to get wrong, among plain ones. */
export const keys: fc.Arbitrary<string> = fc.constantFrom(
  "a",
  "b",
  "c",
  "kind",
  "value",
  "a-b",
  "constructor",
  "toString",
  "hasOwnProperty",
  "__proto__",
  "0",
  "",
  "é",
  "a.b",
  "a/b~c",
);
const count = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined, freq: 2 });
const bound = fc.option(fc.constantFrom(-5, -1.5, 0, 1, 2.5, 10, 9007199254740991), { nil: undefined, freq: 3 });

function defined<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}

const formats = [
  "byte",
  "password",
  "regex",
  "uuid",
  "email",
  "hostname",
  "idn-email",
  "idn-hostname",
  "iri",
  "iri-reference",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uri-template",
  "url",
  "date-time",
  "date",
  "time",
  "duration",
  "json-pointer",
  "relative-json-pointer",
] as const;

const literal: fc.Arbitrary<TypeModel> = fc
  .constantFrom("a", "b", 'x"y', "\u2028", "", 0, 1, -1, 1.5, true, false, null)
  .map((value) => ({ kind: "literal", value }));

const string: fc.Arbitrary<TypeModel> = fc
  .record({
    minLength: count,
    maxLength: count,
    patterns: fc.option(fc.subarray(["^a", "b$", "^\\p{L}*$", "[/]", "^.{2}$"], { maxLength: 2 }), {
      nil: undefined,
      freq: 3,
    }),
    format: fc.option(fc.constantFrom(...formats), { nil: undefined, freq: 3 }),
  })
  .map((part) => Object.assign({ kind: "string" as const }, defined(part)));

const number: fc.Arbitrary<TypeModel> = fc
  .record({
    integer: fc.option(fc.constantFrom("integer", "int32", "uint32", "int64", "uint64"), { nil: undefined }),
    float: fc.option(fc.constant(true as const), { nil: undefined, freq: 4 }),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
    multipleOf: fc.option(fc.constantFrom(1, 2, 0.1, 0.25, 1e-7), { nil: undefined, freq: 4 }),
  })
  .map((part) => Object.assign({ kind: "number" as const }, defined(part)) as TypeModel);

const scalar: fc.Arbitrary<TypeModel> = fc.oneof(
  literal,
  string,
  number,
  fc.constantFrom<TypeModel>(
    { kind: "unknown" },
    { kind: "boolean" },
    { kind: "date" },
    { kind: "url" },
    { kind: "bigint" },
    { kind: "bigint", minimum: "-12", maximum: "1005" },
    { kind: "bigint", minimum: "10" },
    { kind: "bigint", maximum: "18446744073709551615" },
    { kind: "bytes" },
    { kind: "template", pattern: "^id-(?:0|[1-9]\\d*)$", text: "`id-${number}`" },
  ),
);

function field(type: fc.Arbitrary<TypeModel>): fc.Arbitrary<FieldModel> {
  const present = fc
    .record({ key: keys, type, optional: fc.option(fc.constant(true as const), { nil: undefined }) })
    .map((part) => defined(part) as FieldModel);
  const missing = keys.map((key): FieldModel => ({ key, type: { kind: "never" }, optional: true }));
  return fc.oneof({ weight: 9, arbitrary: present }, { weight: 1, arbitrary: missing });
}

/** Keys of several forms; `c` and a number never meet, and the other two do. */
function keyPatterns(type: fc.Arbitrary<TypeModel>): fc.Arbitrary<readonly KeyPattern[]> {
  const pattern = fc.constantFrom("^a(?:$|[^b])[\\s\\S]*$", "^[\\s\\S]*[bc]$", "^c$", "^(?:0|[1-9][0-9]*)$");
  return fc.uniqueArray(
    fc.record({ pattern, type }).map((part) => ({ ...part, text: `\`${part.pattern}\`` })),
    { minLength: 1, maxLength: 2, selector: (entry) => entry.pattern },
  );
}

function object(type: fc.Arbitrary<TypeModel>): fc.Arbitrary<TypeModel> {
  return fc
    .record({
      fields: fc.uniqueArray(field(type), { maxLength: 4, selector: (entry) => entry.key }),
      patterns: fc.option(keyPatterns(type), { nil: undefined, freq: 3 }),
      index: fc.option(fc.oneof({ weight: 5, arbitrary: type }, fc.constant<TypeModel>({ kind: "never" })), {
        nil: undefined,
        freq: 3,
      }),
      urn: fc.option(fc.constantFrom("urn:test:one.1", "urn:test:two.1"), { nil: undefined, freq: 3 }),
      urnDeclared: fc.option(fc.constant(true as const), { nil: undefined }),
    })
    .map((part) => Object.assign({ kind: "object" as const }, defined(part)) as TypeModel);
}

/** Objects that a field tells apart. */
function discriminated(type: fc.Arbitrary<TypeModel>): fc.Arbitrary<TypeModel> {
  return fc
    .array(fc.uniqueArray(field(type), { maxLength: 2, selector: (entry) => entry.key }), {
      minLength: 2,
      maxLength: 3,
    })
    .map((members) => ({
      kind: "union",
      discriminator: "kind",
      members: members.map((fields, index) => ({
        kind: "object",
        fields: [
          { key: "kind", type: { kind: "literal", value: `k${index}` } as const },
          ...fields.filter((entry) => entry.key !== "kind"),
        ],
      })),
    }));
}

function structure(type: fc.Arbitrary<TypeModel>): fc.Arbitrary<TypeModel> {
  const sizes = fc.record({ minItems: count, maxItems: count });
  return fc.oneof(
    object(type),
    object(type),
    discriminated(type),
    fc
      .record({ items: type, sizes, uniqueItems: fc.option(fc.constant(true as const), { nil: undefined }) })
      .map(
        ({ items, sizes: { minItems, maxItems }, uniqueItems }) =>
          Object.assign({ kind: "array" as const, items }, defined({ minItems, maxItems, uniqueItems })) as TypeModel,
      ),
    fc
      .record({ items: type, sizes })
      .map(({ items, sizes: part }) => Object.assign({ kind: "set" as const, items }, defined(part)) as TypeModel),
    type.map((values) => ({ kind: "map" as const, values })),
    fc
      .record({
        types: fc.array(type, { maxLength: 3 }),
        required: fc.nat(3),
        rest: fc.option(type, { nil: undefined }),
      })
      .map(({ types, required, rest }) => {
        const elements = types.map((element, index) =>
          index < required ? { type: element } : { type: element, optional: true as const },
        );
        return Object.assign({ kind: "tuple" as const, elements }, defined({ rest })) as TypeModel;
      }),
    fc.array(type, { minLength: 1, maxLength: 4 }).map((members) => ({ kind: "union" as const, members })),
  );
}

/** Types up to a depth of three, with references to definitions that may be recursive. */
export const typeCases: fc.Arbitrary<TypeCase> = (() => {
  const ref: fc.Arbitrary<TypeModel> = fc.constantFrom<TypeModel>(
    { kind: "ref", name: "Node" },
    { kind: "ref", name: "Page<Item>" },
    { kind: "ref", name: "Choice" },
  );
  const leaf = fc.oneof({ arbitrary: scalar, weight: 5 }, { arbitrary: ref, weight: 1 });
  const middle = fc.oneof({ arbitrary: leaf, weight: 2 }, { arbitrary: structure(leaf), weight: 2 });
  const top = fc.oneof({ arbitrary: leaf, weight: 1 }, { arbitrary: structure(middle), weight: 4 });
  return fc.record({
    type: top,
    definitions: fc.record({
      Node: object(leaf),
      "Page<Item>": object(middle),
      // A named union may hold structures that lead back to it, not itself.
      Choice: fc
        .array(
          fc.oneof(
            scalar,
            structure(leaf).filter((type) => type.kind !== "union"),
          ),
          { minLength: 1, maxLength: 3 },
        )
        .map((members): TypeModel => ({ kind: "union", members })),
    }),
  });
})();
