import { inspect, isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinMembers } from "../../../../../plugin/emit/facts/joined-members.ts";
import { findDiscriminator } from "../../../../../plugin/emit/facts/type-facts.ts";
import type { FieldModel, ObjectType, TypeModel } from "../../../../../plugin/model/type.ts";
import {
  decodeMembers,
  encodeMembers,
  type Member,
} from "../../../../../runtime/contract/validation/codecs/members.ts";
import { mutated, wireOf } from "../arbitrary-wire.ts";
import { loadField, type LoadedTool } from "../load-tool.ts";

const runs = Number(process.env["AGREEMENT_RUNS"] ?? 150);
const seed = Number(process.env["AGREEMENT_SEED"] ?? 20261123);

const number: TypeModel = { kind: "number" };
const date: TypeModel = { kind: "date" };
const either: TypeModel = { kind: "ref", name: "Either" };
const inner: TypeModel = { kind: "object", fields: [{ key: "at", type: date, optional: true }] };
const definitions = {
  Either: {
    kind: "union",
    members: [
      {
        kind: "object",
        fields: [
          { key: "next", type: either, optional: true },
          { key: "a", type: number },
        ],
      },
      {
        kind: "object",
        fields: [
          { key: "next", type: either, optional: true },
          { key: "b", type: date },
        ],
      },
    ],
  },
} as const satisfies Readonly<Record<string, TypeModel>>;

/** Types of a key: mostly the first, so that members have much in common. */
const types: Readonly<Record<string, readonly TypeModel[]>> = {
  a: [number, { kind: "literal", value: 1 }, { kind: "unknown" }],
  b: [date, { kind: "string" }],
  c: [inner, { kind: "array", items: inner }],
  d: [either, { kind: "union", members: [either, { kind: "literal", value: null }] }],
  constructor: [{ kind: "bytes" } as const, { kind: "never" } as const],
  __proto__x: [{ kind: "array", items: number }, number],
};
const fields: fc.Arbitrary<readonly FieldModel[]> = fc.subarray(Object.keys(types), { minLength: 1 }).chain((keys) =>
  fc.tuple(
    ...keys.map((key) =>
      fc.tuple(fc.nat(5), fc.boolean(), fc.nat(9)).map(([choice, optional, filled]): FieldModel => {
        const [first = number, ...others] = types[key] ?? [];
        const type = others[choice - 1] ?? first;
        const name = key === "__proto__x" ? "__proto__" : key;
        if (type.kind === "never") return { key: name, type, optional: true };
        if (type === number && filled === 0) return { key: name, type, default: 7 };
        return { key: name, type, ...(optional && { optional }) };
      }),
    ),
  ),
);
const someUrns = fc.array(
  fc
    .record({ fields, urn: fc.nat(9) })
    .map(({ fields, urn }): ObjectType => ({ kind: "object", fields, ...(urn === 0 && { urn: "urn:test:one.1" }) })),
  { minLength: 2, maxLength: 4 },
);

/** One of two unions has a URN for each member, so that its encoder must choose one. */
const members = fc
  .tuple(someUrns, fc.boolean())
  .map(([members, isNamed]) =>
    isNamed ? members.map((member, index): ObjectType => ({ ...member, urn: `urn:test:${index}.1` })) : members,
  );

const valueOf = (wrapped: unknown): unknown => (wrapped as { readonly value?: unknown } | undefined)?.value;
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** vitest compares an own `__proto__` as a prototype. */
function agree(converted: unknown, expected: unknown, from: unknown): void {
  if (isDeepStrictEqual(converted, expected)) return;
  throw new Error([from, converted, expected].map((value) => inspect(value, { depth: 9 })).join("\n"));
}

describe(`unions of objects that are converted as one (seed ${seed})`, () => {
  const decoder = (tool: LoadedTool): Member => [
    (value) => tool.isRequest({ value }),
    (value) => valueOf(tool.decodeRequest({ value })),
  ];
  const encoder = (tool: LoadedTool): Member => [
    (value) => tool.isResult({ value }),
    (value) => valueOf(tool.encodeResult({ value })),
  ];

  test("convert as their members do one by one", { timeout: 700_000 }, () => {
    const counts = { joined: 0, decoded: 0, encoded: 0, refused: 0, several: 0, named: 0 };
    const cases = members.chain((members) => {
      const wire = wireOf({ type: { kind: "union", members }, definitions });
      const both = fc
        .tuple(wire, wire)
        .map(([one, other]) => (isObject(one) && isObject(other) ? { ...(one as object), ...(other as object) } : one));
      const values = fc.array(fc.oneof(wire, both, mutated(wire), mutated(both)), { minLength: 12, maxLength: 12 });
      return fc.record({ members: fc.constant(members), values });
    });
    fc.assert(
      fc.property(cases, ({ members, values }) => {
        if (findDiscriminator(members, definitions) !== undefined) return;
        if (joinMembers(members, definitions, "decode") === undefined) return;
        counts.joined++;
        const whole = loadField({ kind: "union", members }, definitions);
        const alone = members.map((member) => loadField(member, definitions));
        for (const wire of values) {
          if (!isObject(wire)) continue;
          if (whole.isRequest({ value: wire })) {
            counts.decoded++;
            if (alone.filter((tool) => tool.isRequest({ value: wire })).length > 1) counts.several++;
            const expected = decodeMembers(wire, alone.map(decoder));
            const decoded = valueOf(whole.decodeRequest({ value: wire }));
            agree(decoded, expected, wire);
          }
          const given = whole.isRequest({ value: wire })
            ? [wire, valueOf(whole.decodeRequest({ value: wire }))]
            : [wire];
          const values = [...given, { ...(wire as object), $schema: members.at(-1)?.urn }];
          for (const value of values) {
            const expected = encodeMembers(value, alone.map(encoder));
            const encoded = valueOf(whole.encodeResult({ value }));
            if (alone.map(encoder).some(([isLegal, convert]) => isLegal(convert(value)))) {
              counts.encoded++;
              if (members.every(({ urn }) => urn !== undefined)) counts.named++;
              agree(encoded, expected, value);
            } else if (!whole.isResult({ value: expected })) {
              counts.refused++;
              if (whole.isResult({ value: encoded })) throw new Error(`Took ${inspect(value)}.`);
            }
          }
        }
      }),
      { numRuns: runs, seed },
    );
    // Values of every sort, or the agreement would prove little.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(runs / 10);
  });
});
