import { dirname, join } from "node:path";
import { readText } from "../../read/base/read-text.ts";

/** Major version of zod in the nearest package.json that names it; 4 if none does. */
export function zodMajor(file: string): number {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const [, range = ""] = /"zod":\s*"([^"]*)"/.exec(readText(join(folder, "package.json")) ?? "") ?? [];
    const [major] = /\d+/.exec(range) ?? [];
    if (major !== undefined) return Number(major);
    if (dirname(folder) === folder) return 4;
  }
}
