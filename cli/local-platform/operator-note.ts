import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The address of a running platform, and the token of its operator. */
export interface OperatorNote {
  readonly url: string;
  readonly token: string;
}

/**
 * Writes the operator's token into the platform's folder, for commands of the same user. The platform's address is
 * stored with the token, so that a command never sends the token to another port.
 */
export function writeOperatorNote(folder: string, { url, token }: OperatorNote): void {
  removeOperatorNote(folder);
  writeFileSync(fileOf(folder), `${url}\n${token}\n`, { mode: 0o600, flag: "wx" });
}

/** Reads the note; undefined if no platform has run in the folder, or if the platform was shut down in order. */
export function readOperatorNote(folder: string): OperatorNote | undefined {
  try {
    const [url = "", token = ""] = readFileSync(fileOf(folder), "utf8").split("\n");
    return { url, token };
  } catch {
    return undefined;
  }
}

/** Removes the note when the platform stops. */
export function removeOperatorNote(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}

function fileOf(folder: string): string {
  return join(folder, "operator");
}
