import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../base/usage.ts";

/** Default data folder of a platform, relative to the working folder. */
export const usualFolder = ".tenon/platform";
export const usualPort = 4400;

/** Writes the platform's address into its folder, for commands that call it. */
export function writeAddress(folder: string, url: string): void {
  writeFileSync(join(folder, "url"), `${url}\n`);
}

export function removeAddress(folder: string): void {
  rmSync(join(folder, "url"), { force: true });
}

/** Address of the platform for a command: the given one, else the one in the folder, else the default port. */
export function findPlatform(url: string | undefined, folder: string = usualFolder): string {
  if (url !== undefined) {
    if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url.replace(/\/+$/, "");
    throw new UsageError(`--url is ${JSON.stringify(url)}; it must be where a platform listens: http://127.0.0.1:4400`);
  }
  try {
    return readFileSync(join(folder, "url"), "utf8").trim();
  } catch {
    return `http://127.0.0.1:${usualPort}`;
  }
}
