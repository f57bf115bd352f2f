import { expect, test } from "vitest";
import { backOff, isLogged, retryAfter } from "../../../../../../runtime/outside/platform/sidecar/back-off.ts";

test("waits between half and all of a span that doubles from 2 s to 30 s", () => {
  const spans = [1, 2, 3, 4, 5, 6, 1000].map((failures) => [
    backOff(failures, () => 0),
    backOff(failures, () => 0.999_999),
  ]);
  expect(spans).toEqual([
    [1000, 2000],
    [2000, 4000],
    [4000, 8000],
    [8000, 16_000],
    [15_000, 30_000],
    [15_000, 30_000],
    [15_000, 30_000],
  ]);
});

test("waits longer when it is asked to, but never more than 30 s", () => {
  expect([backOff(1, () => 0, 7000), backOff(1, () => 0, 10), backOff(1, () => 0, 1e9)]).toEqual([7000, 1000, 30_000]);
});

test.each([
  ["2", 2000],
  ["0.5", 500],
  [" 3 ", 3000],
  ["0", 0],
  ["-1", undefined],
  ["1e9", undefined],
  ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
  [undefined, undefined],
])("Retry-After %j is %j ms", (header, ms) => expect(retryAfter(header)).toBe(ms));

test("failures of a row are logged ever more rarely", () => {
  const logged = Array.from({ length: 100 }, (_, n) => n + 1).filter(isLogged);
  expect(logged).toEqual([1, 8, 16, 32, 64]);
});
