import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { deploymentKey } from "../../../../runtime/contract/deployment-key.ts";
import { mcpNameKey } from "../../../../runtime/contract/mcp-name-key.ts";
import * as keys from "../../../../runtime/contract/process-keys.ts";
import { skillsKey } from "../../../../runtime/contract/skills-key.ts";
import { viewKey } from "../../../../runtime/contract/view-page.ts";

const root = resolve(import.meta.dirname, "../../../..");
const own = "runtime/contract/process-keys.ts";
/**
 * Keys in files of their own, as every start reads the table: for the definition, for MCP, for skills, and for pages.
 */
const beside = { deploymentKey, mcpNameKey, skillsKey, viewKey };
const homes = [
  own,
  ...["deployment-key", "mcp-name-key", "skills-key", "view-page"].map((name) => `runtime/contract/${name}.ts`),
];
const sources = globSync("{plugin,runtime,cli,scripts,bench}/**/*.{ts,mjs}", {
  cwd: root,
  exclude: (name) => /(^|[\\/])(node_modules|dist|\.cache)$/.test(name),
});
const texts = new Map(sources.map((file) => [file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8")]));

test("keys of the process stand in one table, or beside it", () => {
  const elsewhere = [...texts].flatMap(([file, text]) => (/Symbol\.for\(["'`]tenon\b/.test(text) ? [file] : []));
  expect(elsewhere.toSorted()).toEqual(homes.toSorted());
});

test("every key of the table is used, and each is another symbol", () => {
  const { keyExpression, ...inTable } = keys;
  const table = { ...inTable, ...beside };
  const names = Object.keys(table);
  const others = [...texts].flatMap(([file, text]) => (homes.includes(file) ? [] : [text]));
  const unused = names.filter((name) => !others.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  expect(names.length).toBeGreaterThan(10);
  expect(unused).toEqual([]);
  expect(new Set(Object.values(table)).size).toBe(names.length);
  expect(keyExpression(keys.entryKey)).toBe('Symbol.for("tenon.entry")');
});
