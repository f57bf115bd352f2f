import { expect, test } from "vitest";
import { createRecentResults, type RecentResult } from "../../../../../runtime/fronts/batch/recent-results.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";

const id = (n: number): JobUrn => `urn:platform:job:${n}`;
const result = (bytes: number): RecentResult => ({
  fingerprint: "",
  request: { id: "", headers: {}, isError: false, contentType: "", body: new Uint8Array(bytes) },
});

test("bounded by count and by bytes; the oldest go first", () => {
  const byCount = createRecentResults(3, 1000);
  for (let n = 1; n <= 5; n++) byCount.add(id(n), result(1));
  expect([1, 2, 3, 4, 5].filter((n) => byCount.get(id(n)) !== undefined)).toEqual([3, 4, 5]);
  const byBytes = createRecentResults(100, 10);
  for (let n = 1; n <= 5; n++) byBytes.add(id(n), result(4));
  expect([1, 2, 3, 4, 5].filter((n) => byBytes.get(id(n)) !== undefined)).toEqual([4, 5]);
  byBytes.add(id(5), result(10));
  expect([4, 5].filter((n) => byBytes.get(id(n)) !== undefined)).toEqual([5]);
  byBytes.add(id(6), result(11));
  expect([5, 6].filter((n) => byBytes.get(id(n)) !== undefined)).toEqual([]);
});
