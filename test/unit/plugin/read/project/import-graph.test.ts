import { mkdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { followImports } from "../../../../../plugin/read/project/import-graph.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

function reached(files: Readonly<Record<string, string>>, compilerOptions: object = {}): readonly string[] {
  const options = { module: "preserve", moduleResolution: "bundler", ...compilerOptions };
  const root = temporaryFolder({ "tsconfig.json": JSON.stringify({ compilerOptions: options }), ...files });
  if ("packages/tools/package.json" in files) {
    mkdirSync(join(root, "node_modules/@acme"), { recursive: true });
    symlinkSync(join(root, "packages/tools"), join(root, "node_modules/@acme/tools"));
  }
  return followImports({ entry: join(root, "main.ts"), root }).files.map(({ file }) => relative(root, file));
}

test("follows relative imports, aliases, workspace packages, re-exports and dynamic imports", () => {
  const files = {
    "main.ts":
      'import "./a.js"; import { b } from "@/b.js"; import "@acme/tools"; export * from "./c"; console.log(b); await import("./d.js");',
    "a.ts": 'import "./deep/e.mjs";',
    "deep/e.mts": "export {};",
    "src/b.tsx": "export const b = 1;",
    "c/index.ts": 'import "../a.js";',
    "d.ts": 'require("./f.js"); import "node:fs"; import "missing"; import "./data.json";',
    "f.cts": "",
    "f.ts": "export {};",
    "data.json": "{}",
    "packages/tools/package.json": '{ "name": "@acme/tools", "exports": "./src/index.ts" }',
    "packages/tools/src/index.ts": 'export { tool } from "./tool.js";',
    "packages/tools/src/tool.ts": "export const tool = 1;",
  };
  expect(reached(files, { paths: { "@/*": ["./src/*"] } })).toEqual([
    "main.ts",
    "a.ts",
    "deep/e.mts",
    "src/b.tsx",
    "packages/tools/src/index.ts",
    "packages/tools/src/tool.ts",
    "c/index.ts",
    "d.ts",
    "f.ts",
  ]);
});

const onlyTypes = {
  "main.ts": `import type { A } from "./a.js";
import { type B } from "./b.js";
import { C } from "./c.js";
import { D } from "./d.js";
import * as E from "./e.js";
export type { A } from "./a.js";
export { type B as BB } from "./b.js";
export const used = (c: C, e: E.T): A | B | C => new D(c, e);
export class F extends Array<C> {}`,
  "a.ts": "export interface A {}",
  "b.ts": "export interface B {}",
  "c.ts": "export interface C {}",
  "d.ts": "export class D {}",
  "e.ts": "export type T = 1;",
};

test("leaves out what only gives types, as compilers do", () => {
  expect(reached(onlyTypes)).toEqual(["main.ts", "d.ts"]);
});

test("with verbatimModuleSyntax only `import type` is left out", () => {
  expect(reached(onlyTypes, { verbatimModuleSyntax: true })).toEqual(["main.ts", "b.ts", "c.ts", "d.ts", "e.ts"]);
});

test("stops at declarations and at an entry that does not exist", () => {
  expect(reached({ "main.ts": 'import "./lib.js";', "lib.d.ts": "export {};", "lib.js": "" })).toEqual(["main.ts"]);
  expect(reached({})).toEqual([]);
});
