import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import * as keys from "../../../../runtime/contract/process-keys.ts";

const root = resolve(import.meta.dirname, "../../../..");
const own = "runtime/contract/process-keys.ts";
const sources = globSync("{plugin,runtime,cli,scripts,bench}/**/*.{ts,mjs}", {
  cwd: root,
  exclude: (name) => /(^|[\\/])(node_modules|dist|\.cache)$/.test(name),
});
const texts = new Map(sources.map((file) => [file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8")]));

test("keys of the process stand in one table", () => {
  const elsewhere = [...texts].flatMap(([file, text]) => (/Symbol\.for\(["'`]tenon\b/.test(text) ? [file] : []));
  expect(elsewhere).toEqual([own]);
});

test("every key of the table is used, and each is another symbol", () => {
  const { keyExpression, ...table } = keys;
  const names = Object.keys(table);
  const others = [...texts].flatMap(([file, text]) => (file === own ? [] : [text]));
  const unused = names.filter((name) => !others.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  expect(names.length).toBeGreaterThan(10);
  expect(unused).toEqual([]);
  expect(new Set(Object.values(table)).size).toBe(names.length);
  expect(keyExpression(keys.entryKey)).toBe('Symbol.for("tenon.entry")');
});
