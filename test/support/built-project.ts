import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, inject } from "vitest";
import { type PackedProject, packedProject } from "./packed-project.ts";

/** Names of the files and folders that `tenon build` writes into a project. */
const outputs = ["dist", "service.json"];

/**
 * A project that `tenon build` has built. The files of a run that have the same project get copies of one build, since
 * a build takes seconds, and its bytes depend on the files alone (test/package/code-cache.test.ts).
 */
export function builtProject(files: Readonly<Record<string, string>>): PackedProject {
  const project = packedProject(files);
  const key = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  // Beside the package, and so of this run.
  const shared = join(dirname(inject("packedPackage")), `built-${key}`);
  if (existsSync(shared)) {
    copyOutputs(shared, project.root);
    return project;
  }
  expect(project.tenon("build")).toMatchObject({ status: 0 });
  const own = mkdtempSync(`${shared}-`);
  copyOutputs(project.root, own);
  try {
    renameSync(own, shared);
  } catch {
    // Another worker was faster.
    rmSync(own, { recursive: true });
  }
  return project;
}

function copyOutputs(from: string, to: string): void {
  for (const name of outputs) cpSync(join(from, name), join(to, name), { recursive: true });
}
