import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOperatorNote } from "../local-platform/operator-note.ts";
import { baseAddress } from "../base/address-option.ts";

/** Default data folder of a platform, relative to the working folder. */
export const usualFolder = ".tenon/platform";
export const usualPort = 4400;

/** Writes the platform's address into its folder, for commands that call it. */
export function writeAddress(folder: string, url: string): void {
  writeFileSync(join(folder, "url"), `${url}\n`);
}

/** Removes the address when the platform stops. */
export function removeAddress(folder: string): void {
  rmSync(join(folder, "url"), { force: true });
}

/**
 * Reads the operator's token from the platform's folder. Undefined if `url` is not the platform's address: a platform
 * that was killed leaves its token behind, and its port may now belong to another program.
 */
export function operatorToken(url: string, folder: string = usualFolder): string | undefined {
  const note = readOperatorNote(folder);
  return note?.url === url ? note.token : undefined;
}

/** Address of the platform for a command: the given one, else the one noted in the folder, else the usual port. */
export function findPlatform(url: string | undefined, folder: string = usualFolder): string {
  if (url !== undefined) return baseAddress(url, "platform");
  try {
    return readFileSync(join(folder, "url"), "utf8").trim();
  } catch {
    return `http://127.0.0.1:${usualPort}`;
  }
}
