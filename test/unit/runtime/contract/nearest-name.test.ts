import { expect, test } from "vitest";
import { nearestName } from "../../../../runtime/contract/nearest-name.ts";

const known = ["build", "dev", "check", "outdir", "with-mcp", "with-mcp-stdio", "no-cache", "no-code-cache"];

test.each([
  ["biuld", "build"],
  ["outdri", "outdir"],
  ["OutDir", "outdir"],
  ["out", "outdir"],
  ["chekc", "check"],
  ["with-mpc", "with-mcp"],
  ["dve", "dev"],
  ["no-cahe", "no-cache"],
  ["serve", undefined],
  ["no", undefined],
  ["x", undefined],
])("%s is %s", (name, meant) => {
  expect(nearestName(name, known)).toBe(meant);
});
