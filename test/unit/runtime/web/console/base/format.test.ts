import { expect, test } from "vitest";
import { formatDuration } from "../../../../../../runtime/web/console/base/format.ts";

test.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [999.6, "1.00 s"],
  [9994, "9.99 s"],
  [9996, "10.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min 0 s"],
  [119_400, "1 min 59 s"],
  [119_600, "2 min 0 s"],
  [3_599_600, "1 h 0 min"],
  [7_260_000, "2 h 1 min"],
])("a duration of %d ms is %s: no unit is full", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
