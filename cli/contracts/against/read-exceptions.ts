import { join } from "node:path";
import { readPresent } from "../../base/read-present.ts";
import { CommandError } from "../../base/usage.ts";
import { type Exception, parseExceptions } from "../exceptions.ts";

/** The file beside package.json that lists accepted findings. */
export const exceptionsFile = "tenon.allow.json";

/** The exceptions of a project; none without the file. */
export function readExceptions(root: string): readonly Exception[] {
  const text = readPresent(join(root, exceptionsFile));
  if (text === undefined) return [];
  const read = parseExceptions(text);
  if (typeof read !== "string") return read;
  throw new CommandError(`${exceptionsFile} cannot be used: ${read}. \`tenon explain contracts\` shows one.`);
}
