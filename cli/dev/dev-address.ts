import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Address of a served project, for programs beside `tenon dev`. */
interface DevAddress {
  readonly page: string;
  readonly pid: number;
}

const fileIn = (root: string): string => join(root, ".tenon", "dev.json");

/** Notes the address of the console while this process serves a project; undefined: it serves it no longer. */
export function noteAddress(root: string, page: string | undefined): void {
  const file = fileIn(root);
  if (page === undefined) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ page, pid: process.pid } satisfies DevAddress));
}

/** The address of the console of a project that `tenon dev` serves now. */
export function consoleAddress(root: string): string | undefined {
  try {
    const { page, pid } = JSON.parse(readFileSync(fileIn(root), "utf8")) as DevAddress;
    // Throws where the process has ended without a word.
    process.kill(pid, 0);
    return page;
  } catch {
    return undefined;
  }
}
