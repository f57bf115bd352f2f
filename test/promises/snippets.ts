import { readFileSync } from "node:fs";

/** A block of code of a page, word by word, by the text in its first line. */
export function snippet(page: string, title: string): string {
  for (const [, text = ""] of readFileSync(page, "utf8").matchAll(/^```\w+\n([^]*?)^```$/gm))
    if (/^\/\/ (.*)\n/.exec(text)?.[1]?.startsWith(title) === true) return text;
  throw new Error(`${page} has no block that begins with "// ${title}"`);
}
