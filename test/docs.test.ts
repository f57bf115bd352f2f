import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makePages } from "../scripts/docs.ts";

test.each(Object.entries(makePages()))("%s is what its sources make (`npm run docs`)", (file, text) => {
  expect(readFileSync(file, "utf8")).toBe(text);
});
