import { expect, test } from "vitest";
import { FinishedCounts } from "../../../../../runtime/executor/store/finished-counts.ts";

test("jobs above a limit are dropped, its tenth at a time: of a tool with its own, and of all others together", () => {
  const counts = new FinishedCounts(100, new Map([["own", 10]]));
  expect([counts.tools, counts.isCounted, counts.surpluses()]).toEqual([["own"], false, []]);
  // Before they are counted, there is nothing to add to.
  counts.add("own", 50);
  counts.reset([
    { tool: "own", count: 11 },
    { tool: "a", count: 60 },
    { tool: "b", count: 50 },
  ]);
  expect([counts.isCounted, counts.surpluses()]).toEqual([true, []]);
  counts.add("own", 1);
  counts.add("c", 1);
  expect(counts.surpluses()).toEqual([
    { tool: "own", kept: 10, count: 2 },
    { tool: undefined, kept: 100, count: 11 },
  ]);
  counts.add(undefined, -11);
  expect(counts.surpluses()).toEqual([{ tool: "own", kept: 10, count: 2 }]);
  counts.forget();
  expect([counts.isCounted, counts.surpluses()]).toEqual([false, []]);
});
