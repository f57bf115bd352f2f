import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showLargeTypes, showSlowReading } from "../../../../../plugin/read/base/slow-reading.ts";

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
    progress(tool, path, 1);
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

test("types with many parts are named once while they are read, with the field that has most of them", () => {
  const lines: string[] = [];
  const progress = showLargeTypes((line) => lines.push(line));
  progress("small", "value.a", 9999);
  progress("large", "value.a.b", 4000);
  progress("large", "value.c", 5000);
  // The reading begins anew with a program that knows more files.
  progress("large", "value.a", 1);
  progress("large", "value.a.b.c", 3000);
  progress("large", "value.events[].d", 9999);
  expect(lines).toEqual([]);
  progress("large", "value.f", 10_000);
  progress("large", "value.f", 90_000);
  expect(lines).toEqual([
    "the types of `large` are large (TN504): 10,000 parts so far, 6,999 of them in `value.events[]`; take only the " +
      "fields that are needed, such as `Pick<…>`, or `Json` for what the tool only hands on",
  ]);
});

test("no field is named where none has a tenth of the parts", () => {
  const lines: string[] = [];
  const progress = showLargeTypes((line) => lines.push(line));
  for (let field = 0; field < 5000; field++) progress("flat", `value.f${field}`, 2 * (field + 1));
  expect(lines).toEqual([expect.stringContaining("10,000 parts so far, in 5,000 fields; take only")]);
});
