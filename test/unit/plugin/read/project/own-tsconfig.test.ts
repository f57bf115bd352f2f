import { expect, test } from "vitest";
import { readOwnTsconfig } from "../../../../../plugin/read/project/own-tsconfig.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const all = ["node_modules", "dist", "service", "vitest.config.ts"];
const old = { target: "es2020", module: "commonjs", moduleResolution: "node10", outDir: "dist" };
const node = { target: "es2022", module: "nodenext" };
const bundler = { target: "es2022", module: "esnext", moduleResolution: "bundler" };

/** Undefined where a service compiles, else what is excluded. */
function read(config: object, files: Readonly<Record<string, string>> = {}, isModule = true): unknown {
  const folder = temporaryFolder({ "package.json": "{}", "tsconfig.json": JSON.stringify(config), ...files });
  const own = readOwnTsconfig(folder, isModule);
  return own && (JSON.parse(own["tsconfig.json"] ?? '{"exclude":[]}') as { exclude: unknown }).exclude;
}

test.each<[string, object, unknown]>([
  ["CommonJS that reads all", { compilerOptions: old }, all],
  ["CommonJS that reads patterns in all folders", { compilerOptions: old, include: ["**/*.ts"] }, all],
  ["CommonJS that reads a folder", { compilerOptions: old, include: ["./src"] }, []],
  ["CommonJS that reads files", { compilerOptions: old, files: ["src/index.ts"] }, []],
  ["excluding already", { compilerOptions: old, exclude: ["old"] }, ["service", "vitest.config.ts"]],
  [
    "modules that are found as before exports",
    { compilerOptions: { ...bundler, moduleResolution: "node10" } },
    all.toSpliced(1, 1),
  ],
  ["a target that cannot wait", { compilerOptions: { ...bundler, target: "es2016" } }, all.toSpliced(1, 1)],
  ["a bundler's", { compilerOptions: bundler }, undefined],
  ["Node's", { compilerOptions: node }, undefined],
  ["the defaults of TypeScript 6", {}, undefined],
  ["one that only names others", { files: [], references: [{ path: "./tsconfig.app.json" }] }, undefined],
])("%s", (_, config, excluded) => {
  expect(read(config)).toEqual(excluded);
});

test("Node's modules need a package of modules", () => {
  expect(read({ compilerOptions: node }, {}, false)).toEqual(all.toSpliced(1, 1));
});

test("what a tsconfig extends counts", () => {
  const base = JSON.stringify({ compilerOptions: old, include: ["src"] });
  expect(read({ extends: "./base.json" }, { "base.json": base })).toEqual([]);
});

test("the defaults are those of the project's own TypeScript", () => {
  const installed = { "node_modules/typescript/package.json": '{ "version": "5.9.3" }' };
  expect(read({}, installed)).toEqual(all.toSpliced(1, 1));
});

test("a file that cannot be read is kept", () => {
  const folder = temporaryFolder({ "package.json": "{}", "tsconfig.json": "{" });
  expect(() => readOwnTsconfig(folder, true)).not.toThrow();
});
