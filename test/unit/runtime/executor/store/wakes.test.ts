import { expect, test } from "vitest";
import { Wakes } from "../../../../../runtime/executor/store/wakes.ts";

test("tells the wait for the first of many times, and each time once", () => {
  let now = 1000;
  const wakes = new Wakes(() => now);
  expect([wakes.wait, wakes.come()]).toEqual([Infinity, false]);
  wakes.add(500);
  wakes.add(200);
  wakes.add(200);
  wakes.add(4_000_000);
  expect([wakes.wait, wakes.come()]).toEqual([200, false]);
  now = 1200;
  expect([wakes.wait, wakes.come(), wakes.come(), wakes.wait]).toEqual([0, true, false, 300]);
  now = 2000;
  expect([wakes.wait, wakes.come(), wakes.wait]).toEqual([0, true, Infinity]);
  wakes.add(-5);
  expect(wakes.come()).toBe(true);
});
