import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createIdleMemory, quietTime, worthwhile } from "../../../../cli/dev/idle-memory.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A heap of which a collection leaves half. */
function openHeap(): { bytes: number; collections: number; readonly size: () => number; readonly collect: () => void } {
  const heap = {
    bytes: 0,
    collections: 0,
    size: () => heap.bytes,
    collect() {
      heap.collections++;
      heap.bytes /= 2;
    },
  };
  return heap;
}

test("a quiet time after the work, garbage is collected once", () => {
  const heap = openHeap();
  const memory = createIdleMemory(heap);
  heap.bytes = 4 * worthwhile;
  memory.work();
  memory.rest();
  vi.advanceTimersByTime(quietTime - 1);
  expect(heap.collections).toBe(0);
  vi.advanceTimersByTime(1);
  expect(heap.collections).toBe(1);
  vi.advanceTimersByTime(100 * quietTime);
  expect(heap.collections).toBe(1);
});

test("work puts the collection off, however long it takes", () => {
  const heap = openHeap();
  const memory = createIdleMemory(heap);
  heap.bytes = worthwhile;
  memory.rest();
  vi.advanceTimersByTime(quietTime / 2);
  memory.work();
  vi.advanceTimersByTime(10 * quietTime);
  expect(heap.collections).toBe(0);
  memory.rest();
  vi.advanceTimersByTime(quietTime);
  expect(heap.collections).toBe(1);
});

test("a heap that has grown by little since the last collection is left alone", () => {
  const heap = openHeap();
  const memory = createIdleMemory(heap);
  const restWith = (bytes: number): number => {
    heap.bytes = bytes;
    memory.rest();
    vi.advanceTimersByTime(quietTime);
    return heap.collections;
  };
  expect(restWith(4 * worthwhile)).toBe(1);
  expect(restWith(3 * worthwhile - 1)).toBe(1);
  expect(restWith(3 * worthwhile)).toBe(2);
});

test("garbage is collected by no function that the author's code could see", async () => {
  const names = Object.getOwnPropertyNames(globalThis);
  const memory = createIdleMemory();
  const garbage = new WeakRef(Array.from({ length: worthwhile / 8 }, (_, index) => [index]));
  memory.rest();
  await vi.advanceTimersByTimeAsync(quietTime);
  expect(garbage.deref()).toBeUndefined();
  expect(Object.getOwnPropertyNames(globalThis)).toEqual(names);
});
