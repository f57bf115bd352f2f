import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runtimeFolder } from "../../../../plugin/packages/own-module.ts";
import { chunkGroups, chunkModules } from "../../../../cli/build/chunk-groups.ts";

const modules = Object.entries(chunkModules).flatMap(([chunk, names]) => names.map((name) => [chunk, name] as const));

test.each(modules)("chunk %s: runtime/%s.ts exists, and the group takes it in", (chunk, name) => {
  expect(existsSync(`runtime/${name}.ts`)).toBe(true);
  const taken = chunkGroups.filter(({ test: pattern }) => pattern.test(join(runtimeFolder, `${name}.js`)));
  expect(taken.map((group) => group.name)).toEqual([chunk]);
});
