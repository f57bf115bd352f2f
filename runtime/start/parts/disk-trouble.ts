import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../../service/config/config.ts";
import type { TellsTrouble } from "../../executor/store/job-store.ts";

/** Bytes below which a disk counts as full. */
const leastRoom = 1024 * 1024;

type Disks = Pick<Config, "store" | "platformBaseUrl" | "localDir">;

/** Reason why jobs or artifacts cannot be written, for `/readyz`; undefined when they can. */
export async function diskTrouble(
  store: object,
  config: Disks,
  freeBytes: (folder: string) => Promise<number> = freeBytesOf,
): Promise<string | undefined> {
  for (const [what, folder] of foldersOf(config)) {
    if ((await freeBytes(folder)) < leastRoom) return `The disk of the ${what} is full.`;
  }
  return tellsTrouble(store) ? store.trouble() : undefined;
}

function tellsTrouble(store: object): store is TellsTrouble {
  return "trouble" in store;
}

function foldersOf({ store, platformBaseUrl, localDir }: Disks): readonly (readonly [what: string, folder: string])[] {
  const file = /^sqlite:(.+)$/.exec(store)?.[1];
  return [
    ...(file === undefined ? [] : [["job store", dirname(file)] as const]),
    // On the platform, the sidecar stores artifacts.
    ...(platformBaseUrl === undefined ? [["artifacts", localDir] as const] : []),
  ];
}

/** Free bytes of a folder's disk; Infinity if the folder does not exist, or if the system does not report it. */
async function freeBytesOf(folder: string): Promise<number> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder);
    // A worker runtime reports no blocks, since its files are not on a disk; this counts as unlimited space.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
