import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Address of a served project, for commands that run beside `tenon dev`. */
interface DevAddress {
  readonly page: string;
  readonly pid: number;
}

const fileIn = (root: string): string => join(root, ".tenon", "dev.json");

/** Stores the address of the console while this process serves a project. `undefined` removes it when serving ends. */
export function noteAddress(root: string, page: string | undefined): void {
  const file = fileIn(root);
  if (page === undefined) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ page, pid: process.pid } satisfies DevAddress));
}

/** Finds the console's address of a project that another process of `tenon dev` serves at present. */
export function consoleAddress(root: string): string | undefined {
  try {
    const { page, pid } = JSON.parse(readFileSync(fileIn(root), "utf8")) as DevAddress;
    // This call throws if the process has ended without removing its file.
    process.kill(pid, 0);
    return page;
  } catch {
    return undefined;
  }
}
