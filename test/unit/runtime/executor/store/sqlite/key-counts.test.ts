import { expect, test } from "vitest";
import { KeyCounts } from "../../../../../../runtime/executor/store/sqlite/key-counts.ts";

type Row = Record<string, number>;

/** A table in which every key has so many jobs that run, and notes of what was asked. */
function table(placed: ReadonlyMap<string, number>): {
  sql: ConstructorParameters<typeof KeyCounts>[0];
  asked: string[];
} {
  const asked: string[] = [];
  const answer = (key: unknown, row: Row | undefined): Row | undefined => {
    asked.push(String(key));
    return row;
  };
  return {
    asked,
    sql: {
      anyLimited: { get: () => answer("any", placed.size === 0 ? undefined : { "1": 1 }) },
      placed: { get: (key: unknown) => answer(key, { count: placed.get(String(key)) ?? 0 }) },
      termsOf: { get: () => undefined },
      debounced: { all: () => [] },
    },
  };
}

test("of an empty table nothing is read but that", () => {
  const { sql, asked } = table(new Map());
  const counts = new KeyCounts(sql);
  for (let key = 0; key < 100; key++) counts.of(`k${key}`).placed++;
  expect(counts.of("k7")).toEqual({ placed: 1, waits: false, held: 0, terms: {} });
  expect(asked).toEqual(["any"]);
});

test("of a table with jobs each key is read once, and again when its rows have changed", () => {
  const { sql, asked } = table(new Map([["a", 2]]));
  const counts = new KeyCounts(sql);
  expect([counts.of("a").placed, counts.of("a").placed, counts.of("b").placed]).toEqual([2, 2, 0]);
  counts.forget("a");
  expect(counts.known("a")).toBeUndefined();
  expect(counts.of("a").placed).toBe(2);
  expect(asked).toEqual(["any", "a", "b", "a"]);
  counts.clear();
  expect(counts.known("b")).toBeUndefined();
});

test("keys that are too many are read again, those that were used last are not", () => {
  const placed = new Map<string, number>();
  const { sql, asked } = table(placed);
  const counts = new KeyCounts(sql, 4);
  for (const key of ["a", "b", "c", "d", "a", "e"]) {
    const count = counts.of(key);
    count.placed++;
    placed.set(key, count.placed);
  }
  expect(counts.known("b")).toBeUndefined();
  expect(counts.known("a")).toMatchObject({ placed: 2 });
  expect(asked).toEqual(["any"]);
  expect(counts.of("b").placed).toBe(1);
  expect(counts.of("new").placed).toBe(0);
  expect(asked).toEqual(["any", "b", "new"]);
  // One that is empty makes room.
  const count = counts.of("e");
  count.placed = 0;
  counts.done("e", count);
  expect(counts.known("e")).toBeUndefined();
});
