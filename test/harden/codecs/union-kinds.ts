import { letter, numbers, type CodecKind } from "./codec-kind.ts";

const nested = (depth: number, make: (inner: unknown) => unknown, last: unknown): unknown =>
  numbers(depth).reduce((inner: unknown) => make(inner), last);

/** Twenty objects that share most of their keys; nothing names them. */
const twenty = numbers(20).map((index) => `{ a: number; b?: string; k${letter(index)}: number }`);
const optional = numbers(20).map((index) => `{ a?: number; k${letter(index)}?: number }`);

/**
 * The same with a URN each, as results have them: values of the author have none, so that encoders must find theirs.
 */
const withUrns = (field: (index: number) => string): string =>
  numbers(20)
    .map(
      (index) =>
        `/** @schema urn:harden:schema.u${index}.1 */ interface U${index} { a: number; b?: string; ${field(index)} }`,
    )
    .join("\n");
const urnNames = numbers(20)
  .map((index) => `U${index}`)
  .join(" | ");
const urnOf = (index: number): string => `urn:harden:schema.u${index % 20}.1`;

/** Unions, and types that contain themselves. */
export const unionKinds: readonly CodecKind[] = [
  {
    name: "union of scalars",
    type: "number | string | boolean | null",
    item: (index) => [1, "a", true, null][index % 4],
  },
  { name: "union of Date and text", type: "Date | number | null", item: () => "2026-01-01T00:00:00Z" },
  { name: "union of Map and Set", type: "Map<string, number> | Set<number> | Date", item: () => [1] },
  {
    name: "union with a discriminator",
    type: numbers(20)
      .map((index) => `{ kind: "${letter(index)}"; a: number }`)
      .join(" | "),
    item: (index) => ({ kind: letter(index % 20), a: 1 }),
  },
  { name: "union of 2 objects", type: "{ a: number } | { a: number; b: string }", item: () => ({ a: 1, b: "b" }) },
  {
    name: "union of 20 objects by their keys",
    type: twenty.join(" | "),
    item: (index) => ({ a: 1, [`k${letter(index % 20)}`]: 1 }),
  },
  { name: "union of 20 objects, last", type: twenty.join(" | "), item: () => ({ a: 1, kt: 1 }) },
  {
    name: "union of 20 objects, all at once",
    type: twenty.join(" | "),
    item: () => Object.fromEntries([["a", 1], ...numbers(20).map((index) => [`k${letter(index)}`, 1])]),
  },
  { name: "union of 20 objects of optional keys", type: optional.join(" | "), item: () => ({}) },
  {
    name: "union of 20 objects of optional keys, one there",
    type: optional.join(" | "),
    item: (index) => ({ [`k${letter(index % 20)}`]: 1 }),
  },
  {
    name: "union of 20 objects with URNs",
    declares: withUrns((index) => `k${letter(index)}: number`),
    type: urnNames,
    item: (index) => ({ $schema: urnOf(index), a: 1, [`k${letter(index % 20)}`]: 1 }),
  },
  {
    name: "union of 20 objects with URNs, the last",
    declares: withUrns((index) => `k${letter(index)}: number`),
    type: urnNames,
    item: () => ({ $schema: urnOf(19), a: 1, kt: 1 }),
  },
  {
    name: "union of 20 objects with URNs and optional keys",
    declares: withUrns((index) => `k${letter(index)}?: number`),
    type: urnNames,
    item: () => ({ a: 1 }),
  },
  {
    name: "union of 20 objects with URNs and dates",
    declares: withUrns((index) => `k${letter(index)}: Date`),
    type: urnNames,
    item: (index) => ({ $schema: urnOf(index), a: 1, [`k${letter(index % 20)}`]: "2026-01-01T00:00:00Z" }),
  },
  {
    name: "union of objects with URNs in objects with URNs",
    declares: `${withUrns((index) => `k${letter(index)}: number`)}
/** @schema urn:harden:schema.left.1 */ interface Left { p: ${urnNames}; l?: Left | Right }
/** @schema urn:harden:schema.right.1 */ interface Right { p: ${urnNames}; r?: Left | Right }`,
    type: "Left | Right",
    item: (index) => ({ p: { a: 1, kt: 1 }, [index % 2 === 0 ? "l" : "r"]: { p: { a: 1, ka: 1 } } }),
  },
  {
    name: "union of objects in objects",
    type: "{ p: { a: number } | { b: number } } | { p: { c: number } | { d: number } }",
    item: (index) => ({ p: { [letter(index % 4)]: 1 } }),
  },
  { name: "union of lists", type: "{ a: number }[] | { b: number }[]", item: () => [{ b: 1 }] },
  {
    name: "union of long lists",
    type: "{ a: number }[] | { b: number }[] | { a: number; b: number }[]",
    item: () => [...numbers(5000).map(() => ({ a: 1 })), { a: 1, b: 1 }],
  },
  {
    name: "union of tuples",
    type: "[{ a: number }, 1] | [{ a: number }, 2] | [{ a: number; b?: Date }, 3]",
    item: () => [{ a: 1 }, 3],
  },
  {
    name: "union of objects with dates",
    type: "{ at: Date; a?: number } | { at: Date; b?: Date }",
    item: () => ({ at: "2026-01-01T00:00:00Z" }),
  },
  {
    name: "recursive list",
    declares: "interface Chain { next?: Chain }",
    type: "Chain",
    item: () => nested(100, (next) => ({ next }), {}),
  },
  {
    name: "recursive tree",
    declares: "interface Tree { c: Tree[] }",
    type: "Tree",
    item: () => ({ c: [{ c: [] }, { c: [] }] }),
  },
  {
    name: "recursive JSON",
    declares: "type Json = null | boolean | number | string | Json[] | { [key: string]: Json };",
    type: "Json",
    item: () => nested(100, (a) => ({ a }), []),
  },
  {
    name: "recursive union without discriminator",
    declares: "type Node = { next?: Node; a?: number } | { next?: Node; b?: number };",
    type: "Node",
    item: () => nested(100, (next) => ({ next }), {}),
  },
  {
    name: "recursive union, wide",
    declares:
      "interface Leaf { v: number }\ninterface Fork { l: Side; r: Side }\ninterface Pair { l: Side; r: Side; x?: number }\ntype Side = Leaf | Fork | Pair;",
    type: "Side",
    item: () => nested(6, (side) => ({ l: side, r: side }), { v: 1 }),
  },
];
