import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTimer } from "../../../../../runtime/executor/run/long-timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const day = 86_400_000;

test("a timer of any length calls once, at its end", () => {
  const called = vi.fn<() => void>();
  startTimer(60 * day, called);
  vi.advanceTimersByTime(60 * day - 1);
  expect(called.mock.calls.length).toBe(0);
  vi.advanceTimersByTime(60 * day);
  expect(called.mock.calls.length).toBe(1);
});

test("a stopped timer does not call, also after its first part", () => {
  const called = vi.fn<() => void>();
  const stop = startTimer(60 * day, called);
  vi.advanceTimersByTime(30 * day);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(60 * day);
  expect(called.mock.calls.length).toBe(0);
});
