import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JobTokens } from "../local-platform/jobs/job-token.ts";
import { UsageError } from "../base/usage.ts";

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

/** The token of whoever can read the platform's folder; undefined where there is no such folder. */
export function operatorToken(folder: string = usualFolder): string | undefined {
  try {
    return new JobTokens(readFileSync(join(folder, "secret"))).operator();
  } catch {
    return undefined;
  }
}

/** Address of the platform for a command: the given one, else the one noted in the folder, else the usual port. */
export function findPlatform(url: string | undefined, folder: string = usualFolder): string {
  if (url !== undefined) {
    if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url.replace(/\/+$/, "");
    throw new UsageError(
      `--url is ${JSON.stringify(url)}; it must be the address of a platform, such as http://127.0.0.1:4400`,
    );
  }
  try {
    return readFileSync(join(folder, "url"), "utf8").trim();
  } catch {
    return `http://127.0.0.1:${usualPort}`;
  }
}
