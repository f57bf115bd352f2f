import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A copy of the project that may be changed: nothing mutated ever stands in the checkout. */
export interface ProjectCopy {
  readonly root: string;
  /** Puts a text in the stead of a file, until the next one. */
  write(file: string, code: string): void;
  /** Puts the file back as it is in the project. */
  restore(file: string): void;
  remove(): void;
}

/** Copies what git tracks or would track; packages and the last build are linked. */
export function copyProject(project: string): ProjectCopy {
  const root = mkdtempSync(join(tmpdir(), "tenon-mutants-"));
  const listed = spawnSync("git", ["ls-files", "-coz", "--exclude-standard", "--deduplicate"], {
    cwd: project,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (listed.status !== 0) throw new Error(`git does not list the files of the project: ${listed.stderr}`);
  for (const file of listed.stdout.split("\0").filter((name) => name !== ""))
    cpSync(join(project, file), join(root, file), { recursive: true, verbatimSymlinks: true, force: true });
  for (const name of ["node_modules", "dist"]) symlinkSync(join(project, name), join(root, name));
  return {
    root,
    write: (file, code) => writeFileSync(join(root, file), code),
    restore: (file) => writeFileSync(join(root, file), readFileSync(join(project, file))),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}
