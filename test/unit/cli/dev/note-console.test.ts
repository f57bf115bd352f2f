import { expect, test } from "vitest";
import { noteConsole } from "../../../../cli/dev/note-console.ts";

test("lines of a console are written as before, and noted with their level", () => {
  const written: unknown[] = [];
  const write = (...values: unknown[]): void => void written.push(values);
  const own = { debug: write, log: write, info: write, warn: write, error: write };
  const noted: unknown[] = [];
  noteConsole(own, (level, message) => noted.push([level, message]));
  own.log("%d rows", 3, { a: 1 });
  own.error(new RangeError("odd").message);
  expect(written).toEqual([["%d rows", 3, { a: 1 }], ["odd"]]);
  expect(noted).toEqual([
    ["INFO", "3 rows { a: 1 }"],
    ["ERROR", "odd"],
  ]);
});
