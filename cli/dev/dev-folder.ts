import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files of one `tenon dev`. Each has its own, since several may serve entries of one package at the same time. */
export interface DevFolder {
  /** Folder of the build, `.tenon/dev/<pid>`. */
  readonly outdir: string;
  /** Stores the address of the console, for commands that run beside `tenon dev`. */
  note(page: string): void;
  /** Removes the files of this process. */
  remove(): void;
}

/** Opens the folder of this process, and removes the files of processes that have ended. */
export function openDevFolder(root: string): DevFolder {
  const { pid } = process;
  for (const name of namesIn(root)) if (!isRunning(Number.parseInt(name, 10))) removeFrom(root, name);
  return {
    outdir: join(folderIn(root), String(pid)),
    note(page) {
      mkdirSync(folderIn(root), { recursive: true });
      writeFileSync(join(folderIn(root), `${pid}.json`), JSON.stringify({ page }));
    },
    remove() {
      for (const name of [`${pid}.json`, String(pid)]) removeFrom(root, name);
    },
  };
}

/** Finds the console's address of a project that another process serves at present: mostly the one that began last. */
export function consoleAddress(root: string): string | undefined {
  const pids = namesIn(root)
    .filter((name) => name.endsWith(".json"))
    .map((name) => Number.parseInt(name, 10))
    .filter(isRunning);
  if (pids.length === 0) return undefined;
  try {
    const { page } = JSON.parse(readFileSync(join(folderIn(root), `${Math.max(...pids)}.json`), "utf8")) as {
      readonly page: string;
    };
    return page;
  } catch {
    return undefined;
  }
}

/** True for a file in which a process of `tenon dev` stores its address. */
export function isAddress(file: string): boolean {
  return /[\\/]\.tenon[\\/]dev[\\/]\d+\.json$/.test(file);
}

const folderIn = (root: string): string => join(root, ".tenon", "dev");

function removeFrom(root: string, name: string): void {
  rmSync(join(folderIn(root), name), { recursive: true, force: true });
}

function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(folderIn(root));
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be asked.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
