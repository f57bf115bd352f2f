import { expect, onTestFinished, test, vi } from "vitest";
import { spared } from "../../../../../../runtime/executor/store/sqlite/spared.ts";

test("slow reads take a twentieth of the time at most, each query by itself", () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  let reads = 0;
  const read = spared((milliseconds: number) => {
    now += milliseconds;
    return ++reads;
  });
  expect([read(100), read(100), read(10), read(10)]).toEqual([1, 1, 2, 3]);
  now += 1979;
  expect(read(100)).toBe(1);
  now += 1;
  expect(read(100)).toBe(4);
});
