import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showSlowReading } from "../../../../../plugin/read/base/slow-reading.ts";

let now = 0;
beforeEach(() => {
  now = 0;
  vi.useFakeTimers({ toFake: ["setImmediate"] });
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("a reading that takes long says every three seconds what it has reached, a quick one nothing", () => {
  const lines: string[] = [];
  const progress = showSlowReading((line) => lines.push(line));
  const read = (tool: string, seconds: number, path = "/a"): void => {
    now += seconds * 1000;
    progress(tool, path);
  };
  read("a", 1);
  read("a", 2.9);
  expect(lines).toEqual([]);
  read("b", 0.1, "/b/c");
  read("b", 2.9);
  read("c", 0.1, `/${"x".repeat(100)}`);
  const cut = `/${"x".repeat(78)}…`;
  expect(lines).toEqual(["reading the types of `b`, at `/b/c`", `reading the types of \`c\`, at \`${cut}\``]);
  // Another build begins with a time of its own.
  vi.runAllTimers();
  read("d", 100);
  read("d", 2.9);
  expect(lines).toHaveLength(2);
});
