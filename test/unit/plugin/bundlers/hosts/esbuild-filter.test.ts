import { expect, test } from "vitest";
import { filterFor } from "../../../../../plugin/bundlers/hosts/esbuild-filter.ts";

const root = "/home/a-b/my.service[1]";
const filter = filterFor({
  root,
  left: [`${root}/node_modules`, `${root}/packages/other`],
  relevant: [`${root}/src/is+prime.ts`, `${root}/src/service.tsx`],
});

test.each([
  ["a file that concerns the plugin", `${root}/src/is+prime.ts`],
  ["another one", `${root}/src/service.tsx`],
  ["a folder that was not read", `${root}/node_modules/dep/src/a.ts`],
  ["a package inside", `${root}/packages/other/a.mts`],
  ["another package", "/home/a-b/other/src/a.ts"],
  ["a package whose name begins alike", `${root}-too/src/a.ts`],
  ["a file beside it", `${root}.ts`],
  ["a path that ends with a relevant one", `/x${root}/src/is+prime.ts`],
  ["a path with other letters", `/tmp/é𝔸.cts`],
])("esbuild asks about %s", (_what, path) => {
  expect(filter.test(path)).toBe(true);
});

test.each([
  ["the package's other files", `${root}/src/plain.ts`],
  ["a name that ends alike", `${root}/src/this+prime.ts`],
  ["a name that begins alike", `${root}/src/is+prime.tsx`],
  ["a folder whose name begins like one that was not read", `${root}/packages/others/a.ts`],
  ["what is no TypeScript", "/home/a-b/other/src/a.js"],
])("esbuild does not ask about %s", (_what, path) => {
  expect(filter.test(path)).toBe(false);
});
