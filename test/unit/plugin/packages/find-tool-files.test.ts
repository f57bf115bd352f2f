import { join } from "node:path";
import { expect, test } from "vitest";
import { findToolFiles, mayConcern, startsService } from "../../../../plugin/packages/find-tool-files.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const tool = "/** Text. @tool */ export function f(): void {}";

test("finds the package's own files with tools", () => {
  const root = temporaryFolder({
    "package.json": "{}",
    "src/b.ts": tool,
    "src/a.tsx": tool,
    "src/lambda.mts": "export const f = platformLambda(() => 1);",
    "src/plain.ts": "export const toolbar = '@toolbar';",
    "src/types.d.ts": tool,
    "src/script.js": tool,
    "node_modules/dep/index.ts": tool,
    "dist/built.ts": tool,
    ".hidden/h.ts": tool,
    "packages/other/package.json": "{}",
    "packages/other/src/c.ts": tool,
  });
  expect(findToolFiles(root)).toEqual(["src/a.tsx", "src/b.ts", "src/lambda.mts"].map((file) => join(root, file)));
});

test("a folder that does not exist has none", () => {
  expect(findToolFiles(join(temporaryFolder(), "missing"))).toEqual([]);
});

test.each([
  ["a.ts", "/** @tool */", true],
  ["a.cts", "new Service ({})", true],
  ["a.ts", "startLambdaServer(x)", true],
  ["a.ts", "@tools", false],
  ["a.d.ts", "/** @tool */", false],
  ["a.ts?raw", "/** @tool */", false],
  ["a.js", "/** @tool */", false],
])("%s with %j concerns the plugin: %s", (file, text, concerns) => {
  expect(mayConcern(file, text)).toBe(concerns);
});

test("knows what starts a service", () => {
  expect(startsService("await startBatchService(service)")).toBe(true);
  expect(startsService('import { startLambdaServer } from "tenon"')).toBe(false);
});
