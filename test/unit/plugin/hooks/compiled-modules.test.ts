import { expect, test } from "vitest";
import { ownScript } from "../../../../plugin/hooks/compiled-modules.ts";

test.each([
  "/home/me/service/src/index.js",
  "/home/me/packages/tools/index.js",
  "/home/me/packages/tools/dist/deep/part.mjs",
  "/home/me/packages/tools/dist/part.cjs",
  "/home/me/packages/tools/dist/page.jsx",
  "/node_module/a.js",
  "/my_node_modules/a.js",
  "/node_modules-2/a.js",
  "/home/node_modules.js",
  "C:\\home\\service\\dist\\index.js",
])("%s is JavaScript of the author", (file) => {
  expect(ownScript.test(file)).toBe(true);
});

test.each([
  "/home/me/node_modules/dep/index.js",
  "/node_modules/dep/index.js",
  "/home/me/packages/tools/node_modules/@acme/dep/dist/index.mjs",
  "C:\\home\\node_modules\\dep\\index.js",
  "/home/me/service/src/index.ts",
  "/home/me/service/src/data.json",
  "/home/me/service/src/.js/notes",
])("%s is not", (file) => {
  expect(ownScript.test(file)).toBe(false);
});
