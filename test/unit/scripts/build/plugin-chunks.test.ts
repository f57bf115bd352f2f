import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { pluginChunkGroups, pluginChunkParts } from "../../../../scripts/build/plugin-chunks.ts";

const parts = Object.entries(pluginChunkParts).flatMap(([chunk, names]) => names.map((name) => [chunk, name] as const));

test.each(parts)("chunk %s: plugin/%s exists, and the group takes it in", (chunk, name) => {
  const isFile = existsSync(`plugin/${name}.ts`);
  expect(isFile || existsSync(`plugin/${name}`)).toBe(true);
  const path = `/a/dist/plugin/${name}${isFile ? ".js" : "/some-file.js"}`;
  expect(pluginChunkGroups.filter((group) => group.test.test(path)).map((group) => group.name)).toEqual([chunk]);
});

test("no group takes in a file whose name only begins alike", () => {
  expect(pluginChunkGroups.some((group) => group.test.test("/a/dist/plugin/compile/build-more.js"))).toBe(false);
});
