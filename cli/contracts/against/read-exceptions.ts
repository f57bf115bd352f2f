import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../base/usage.ts";
import { type Exception, parseExceptions } from "../exceptions.ts";

/** The file beside package.json that lists accepted findings. */
export const exceptionsFile = "tenon.allow.json";

/** The exceptions of a project; none without the file. */
export function readExceptions(root: string): readonly Exception[] {
  const file = join(root, exceptionsFile);
  if (!existsSync(file)) return [];
  const read = parseExceptions(readFileSync(file, "utf8"));
  if (typeof read !== "string") return read;
  throw new CommandError(`${exceptionsFile} cannot be used: ${read}. \`tenon explain contracts\` shows one.`);
}
