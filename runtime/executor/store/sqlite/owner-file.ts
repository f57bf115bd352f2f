import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Names the owner of a store file, in a file beside it. The name is only used in the error message for a second
 * process. SQLite's lock keeps that process out, and is released by the system when its owner dies. So process ids are
 * not needed for locking; they would differ between containers anyway.
 */
interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** Writes the owner file for this process. */
export function writeOwner(file: string): void {
  const owner: Owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    writeFileSync(pathOf(file), `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  } catch {
    // The file is only for an error text, so a failure does not stop the start.
  }
}

/** Removes the owner file. */
export function removeOwner(file: string): void {
  try {
    rmSync(pathOf(file), { force: true });
  } catch {
    // A failure is ignored here too: the next owner overwrites the file.
  }
}

/** The error text for a file that another connection holds. */
export function describeOwner(file: string): string {
  const remedy = "A store file has one owner at a time: stop that process, or give this one another file.";
  const owner = readOwner(file);
  if (owner === undefined) return `${file} is in use by another process. ${remedy}`;
  if (owner.pid === process.pid && owner.host === hostname()) {
    return `${file} is open in this process already (pid ${owner.pid}). Close it first, or use the store that is open.`;
  }
  return `${file} is in use by process ${owner.pid} on ${owner.host} since ${owner.since}. ${remedy}`;
}

function readOwner(file: string): Owner | undefined {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(pathOf(file), "utf8")) as Partial<Owner>;
    return typeof pid === "number" && typeof host === "string" && typeof since === "string"
      ? { pid, host, since }
      : undefined;
  } catch {
    return undefined;
  }
}

function pathOf(file: string): string {
  return `${file}-owner`;
}
