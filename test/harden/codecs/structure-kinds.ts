import { numbers, word, type CodecKind } from "./codec-kind.ts";

/** Lists, objects, records, and lists whose items must differ. */
export const structureKinds: readonly CodecKind[] = [
  { name: "unknown", type: "unknown", item: (index) => ({ a: [index] }) },
  { name: "array", type: "number[]", item: () => [1] },
  { name: "empty array", type: "number[]", item: () => [] },
  { name: "tuple", type: "[number, string?, ...boolean[]]", item: () => [1, "a", true] },
  { name: "object", type: "{ a: number }", item: () => ({ a: 1 }) },
  { name: "empty object", type: "{ a?: number }", item: () => ({}) },
  {
    name: "object with defaults",
    type: "Filled",
    declares: "interface Filled { /** @default 1 */ a?: number; /** @default [1] */ b?: number[] }",
    item: () => ({}),
  },
  { name: "record", type: "Record<string, number>", item: (index) => ({ [word(index)]: 1 }) },
  {
    name: "record with key patterns",
    type: "{ [key: `a${string}`]: number; [key: `ab${string}`]: 1 | 2 }",
    item: (index) => ({ [`ab${word(index)}`]: 1 }),
  },
  { name: "Map", type: "Map<string, number>", item: (index) => ({ [word(index)]: 1 }) },
  { name: "Set of texts", type: "Set<string>", item: () => numbers(1000).map(word) },
  { name: "Set of objects", type: "Set<{ a: number }>", item: () => numbers(1000).map((a) => ({ a })) },
  {
    name: "Set of dates",
    type: "Set<Date>",
    item: () => numbers(1000).map((index) => new Date(index * 1000).toISOString()),
  },
  { name: "uniqueItems of numbers", type: "number", tags: "@uniqueItems", item: (index) => index },
  { name: "uniqueItems of texts", type: "string", tags: "@uniqueItems", item: word },
  { name: "uniqueItems of objects", type: "{ a: number }", tags: "@uniqueItems", item: (a) => ({ a }) },
  {
    name: "uniqueItems of dates",
    type: "Date",
    tags: "@uniqueItems",
    item: (index) => new Date(index * 1000).toISOString(),
  },
];
