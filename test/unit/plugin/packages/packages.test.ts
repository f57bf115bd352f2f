import { join } from "node:path";
import { expect, test } from "vitest";
import { createPackages } from "../../../../plugin/packages/packages.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const tool = "/** Text. @tool */ export function f(): void {}";

test("every source file of a package with tools registers tools, when the package's imports may be dropped", () => {
  const root = temporaryFolder({
    "free/package.json": '{ "sideEffects": false }',
    "free/src/tool.ts": tool,
    "free/src/barrel.ts": 'export * from "./tool.js";',
    "list/package.json": '{ "sideEffects": ["*.css"] }',
    "list/tool.ts": tool,
    "none/package.json": '{ "sideEffects": false }',
    "none/plain.ts": "export const a = 1;",
    "kept/package.json": "{}",
    "kept/tool.ts": tool,
    "broken/package.json": "{",
    "broken/tool.ts": tool,
  });
  const packages = createPackages();
  const asked = [
    "free/src/tool.ts",
    "free/src/barrel.ts",
    "free/src/x.js",
    "list/tool.ts",
    "none/plain.ts",
    "kept/tool.ts",
    "broken/tool.ts",
  ];
  expect(asked.filter((file) => packages.registersTools(join(root, file)))).toEqual([
    "free/src/tool.ts",
    "free/src/barrel.ts",
    "list/tool.ts",
  ]);
});

test("after a refresh a package may have got its first tool", () => {
  const root = temporaryFolder({ "package.json": '{ "sideEffects": false }', "a.ts": "export {};" });
  const packages = createPackages();
  expect(packages.registersTools(join(root, "a.ts"))).toBe(false);
  writeFiles(root, { "b.ts": tool });
  expect(packages.registersTools(join(root, "a.ts"))).toBe(false);
  packages.refresh();
  expect(packages.registersTools(join(root, "a.ts"))).toBe(true);
});
