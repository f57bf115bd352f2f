import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bundlerNames } from "../../../../plugin/packages/bundler-names.ts";
import { bundlerNames as tested } from "../../../bundlers/six-bundlers.ts";

/** Files beside the entries: the entry of `tenon dev`, and what webpack and Rspack have in common. */
const notEntries = ["dev", "unplugin"];
const expected = bundlerNames.toSorted();
const read = (file: string): string => readFileSync(file, "utf8");

test("every bundler has an entry, and every entry is of a bundler", () => {
  const files = globSync("plugin/bundlers/*.ts").map((file) => file.replace(/^.*[\\/]|\.ts$/g, ""));
  expect(files.toSorted()).toEqual([...expected, ...notEntries].toSorted());
});

test("package.json exports the entry of every bundler, under its name", () => {
  const { exports } = JSON.parse(read("package.json")) as { exports: Record<string, unknown> };
  const found = Object.entries(exports).filter(([, target]) => JSON.stringify(target).includes("/plugin/bundlers/"));
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(
      bundlerNames.map((name) => {
        const file = `./dist/plugin/bundlers/${name}`;
        return [`./${name}`, { types: `${file}.d.ts`, default: `${file}.js` }];
      }),
    ),
  );
});

test("the tests run every bundler", () => {
  expect(tested.toSorted()).toEqual(expected);
});

test("the documentation names every entry and no other", () => {
  const others = new Set([
    "client",
    "client/mcp",
    "client/mock",
    "client/react",
    "plugin",
    "testing",
    "internal",
    "tsdoc.json",
    "view",
    "package.json",
  ]);
  const pages = [read("README.md"), ...globSync("docs/*.md").map(read)].join("\n");
  const named = [...pages.matchAll(/(?<=["`])tenon\/([\w.-]+)(?=["`])/g)].map(([, name = ""]) => name);
  expect([...new Set(named)].filter((name) => !others.has(name)).toSorted()).toEqual(expected);
});
