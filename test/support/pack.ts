/**
 * Vitest global set-up: packs the built package once, as `npm publish` would, and unpacks it for the black-box tests.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the unpacked package. */
    packedPackage: string;
  }
}

export function setup(project: TestProject): () => void {
  if (!existsSync("dist/runtime/index.js"))
    throw new Error("dist/ is missing: run `npm run build` first, or `npm test`.");
  const folder = mkdtempSync(join(tmpdir(), "tenon-packed-"));
  const packed = run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  run("tar", ["-xzf", join(folder, filename), "-C", folder]);
  project.provide("packedPackage", join(folder, "package"));
  return () => rmSync(folder, { recursive: true, force: true });
}

function run(command: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${stderr}`);
  return stdout;
}
