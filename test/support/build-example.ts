import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "vitest";

const cli = resolve("dist/cli/main.js");

/** Runs the built command line in the folder of an example. */
export function tenonIn(
  example: string,
  ...words: readonly string[]
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [cli, ...words], {
    cwd: `examples/${example}`,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
}

/** Builds an example into a folder, and checks that its committed service definition is what the build makes. */
export function buildExample(example: string, outdir: string): void {
  const definition = `examples/${example}/service.json`;
  const committed = readFileSync(definition, "utf8");
  expect(tenonIn(example, "build", "--outdir", outdir)).toMatchObject({ status: 0 });
  expect(readFileSync(definition, "utf8"), `${definition} was not up to date`).toBe(committed);
}
