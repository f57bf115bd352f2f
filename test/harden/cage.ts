import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TargetOptions } from "./target.ts";

/** A control group whose processes may have so much memory, as those of a container. */
export interface Cage {
  /** File that a process writes its id into, to be in it. */
  readonly door: string;
  /** Megabytes that it has taken at most, with the system's own for its files and sockets. */
  most(): number;
  /** Removes it; its processes must have ended. */
  remove(): void;
}

/** Megabytes of the container for which the defaults are made. */
export const container = 512;

const groups = "/sys/fs/cgroup";

/** Makes a group, of either version of Linux; undefined where the system does not allow it. */
function openCage(name: string, bytes: number): Cage | undefined {
  const isFirst = existsSync(join(groups, "memory/memory.limit_in_bytes"));
  const folder = join(groups, isFirst ? "memory" : "", name);
  const [limit, most] = isFirst
    ? ["memory.limit_in_bytes", "memory.max_usage_in_bytes"]
    : ["memory.max", "memory.peak"];
  try {
    mkdirSync(folder);
  } catch {
    return undefined;
  }
  try {
    writeFileSync(join(folder, limit), String(bytes));
    readFileSync(join(folder, most));
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  return {
    door: join(folder, "cgroup.procs"),
    most: () => Number(readFileSync(join(folder, most), "utf8")) / 2 ** 20,
    remove: () => rmdirSync(folder),
  };
}

/**
 * Runs something with processes in the memory of a {@link container}, and with the environment of the images that
 * `tenon init --docker` describes. Node chooses the size of its heap by the group, and so how soon it collects garbage.
 * If the system allows no group, the contender sets that size.
 */
export async function caged<Result>(
  run: (options: TargetOptions, cage: Cage | undefined) => Promise<Result>,
): Promise<Result> {
  const image = { MALLOC_MMAP_THRESHOLD_: "131072" };
  const cage = openCage(`tenon-harden-${process.pid}`, container * 2 ** 20);
  try {
    return await run({ env: image, ...(cage && { door: cage.door, env: { ...image, NODE_OPTIONS: "" } }) }, cage);
  } finally {
    cage?.remove();
  }
}
