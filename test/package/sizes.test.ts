import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the table of sizes in docs/bundlers.md is true within a twentieth (`npm run sizes`)", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/sizes.ts", "--check", "esbuild"], {
    encoding: "utf8",
  });
  expect([status, stderr, stdout]).toEqual([0, "", expect.stringMatching(/^\| esbuild \|/)]);
});
