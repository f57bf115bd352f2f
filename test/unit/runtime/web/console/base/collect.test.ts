import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collect } from "../../../../../../runtime/web/console/base/collect.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Yields numbers, one in so many milliseconds. */
async function* numbers(count: number, pause: number): AsyncGenerator<number> {
  for (let number = 1; number <= count; number++) {
    yield number;
    await vi.advanceTimersByTimeAsync(pause);
  }
}

test("gives many values in few portions, and all of them at the end", async () => {
  const given: number[] = [];
  await collect(numbers(1000, 1), (all) => given.push(all.length));
  expect(given.length).toBeGreaterThan(5);
  expect(given.length).toBeLessThan(20);
  expect(given.at(-1)).toBe(1000);
});

test("gives a value that nothing follows while the stream is open", async () => {
  const given: number[] = [];
  await collect(numbers(2, 500), (all) => given.push(all.length));
  expect(given).toEqual([1, 2, 2]);
});

test("gives what came before a stream broke", async () => {
  const given: number[] = [];
  async function* broken(): AsyncGenerator<number> {
    yield 1;
    throw new Error("gone");
  }
  await expect(collect(broken(), (all) => given.push(all.length))).rejects.toThrow("gone");
  await vi.advanceTimersByTimeAsync(1000);
  expect(given).toEqual([1]);
});
