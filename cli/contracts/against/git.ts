import { spawnSync } from "node:child_process";
import { basename, dirname, relative } from "node:path";
import { CommandError } from "../../base/usage.ts";

/** The text of a file at a git ref; undefined when the ref has no such file. */
export function showAtRef(ref: string, file: string): string | undefined {
  const folder = dirname(file);
  if (ref.startsWith("-")) throw new CommandError(`${ref} is not a git ref.`);
  const inside = git(folder, ["rev-parse", "--show-prefix"]);
  if (inside === undefined) {
    throw new CommandError(`${ref} is not a file, and ${folder} is not in a git repository, or git is not installed.`);
  }
  if (git(folder, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]) === undefined) {
    throw new CommandError(
      `There is no git ref ${ref}, and no such file. A shallow clone has few refs: fetch it first, with \`fetch-depth: 0\` in GitHub's checkout.`,
    );
  }
  return git(folder, ["show", `${ref}:./${basename(file)}`]);
}

/** Absolute folder of the repository; undefined outside of one. */
export function repositoryOf(folder: string): string | undefined {
  return git(folder, ["rev-parse", "--show-toplevel"])?.trim();
}

/**
 * Converts paths to those of code hosts: relative to the repository of a folder; without a repository, to the working
 * folder.
 */
export function repositoryPaths(folder: string): (file: string) => string {
  const base = repositoryOf(folder) ?? process.cwd();
  return (file) => relative(base, file).replaceAll("\\", "/");
}

function git(cwd: string, words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", words, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : undefined;
}
