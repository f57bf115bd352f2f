import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ownAliases, ownModule } from "../../../../plugin/packages/own-module.ts";

test("every export of the package has an alias: those of the runtime its files, the others themselves", () => {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly exports: object };
  const names = Object.keys(exports).map((path) => path.replace(/^\./, "tenon"));
  expect(ownAliases()).toEqual(Object.fromEntries(names.map((name) => [name, ownModule(name) ?? name])));
});
