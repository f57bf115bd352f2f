import { spawn, spawnSync } from "node:child_process";
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

/**
 * Builds an example into a folder, and checks that its committed service definition is what the build makes. Servers in
 * this process go on meanwhile: one that is held up for seconds closes connections that its clients are about to use.
 */
export async function buildExample(example: string, outdir: string): Promise<void> {
  const definition = `examples/${example}/service.json`;
  const committed = readFileSync(definition, "utf8");
  const child = spawn(process.execPath, [cli, "build", "--outdir", outdir], {
    cwd: `examples/${example}`,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const status = await new Promise<number | null>((ended) => child.once("close", ended));
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(readFileSync(definition, "utf8"), `${definition} was not up to date`).toBe(committed);
}
