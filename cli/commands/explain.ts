import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { docsFolder } from "../base/docs-folder.ts";
import { type Arguments, CommandError, type CommandHelp, UsageError, withArguments } from "../base/usage.ts";

export const help: CommandHelp = {
  usage: "tenon explain <code|page>",
  summary:
    "Prints what a diagnostic means and how it is mended, or a page of the documentation, which is in the package.",
  options: {},
  examples: ["tenon explain TN301", "tenon explain bundlers"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

function carryOut(given: Arguments): Promise<number> {
  const [subject] = given.positionals;
  const docs = docsFolder();
  const pages = readdirSync(docs).flatMap((name) => (name.endsWith(".md") ? [basename(name, ".md")] : []));
  if (subject === undefined) {
    throw new UsageError(`Name a code such as TN301, or a page: ${pages.join(", ")}. Usage: ${help.usage}`);
  }
  const text = /^TN\d+$/i.test(subject)
    ? sectionOf(readFileSync(join(docs, "diagnostics.md"), "utf8"), subject.toUpperCase())
    : pages.includes(subject)
      ? readFileSync(join(docs, `${subject}.md`), "utf8")
      : undefined;
  if (text === undefined) {
    throw new CommandError(`There is no code and no page ${subject}. Pages: ${pages.join(", ")}`);
  }
  process.stdout.write(`${text.trimEnd()}\n`);
  return Promise.resolve(0);
}

/** A section of the page of diagnostics, with its heading. */
function sectionOf(page: string, code: string): string | undefined {
  const start = page.indexOf(`## ${code}\n`);
  if (start < 0) return undefined;
  const rest = page.slice(start + 3);
  const next = rest.search(/^#/m);
  return next < 0 ? rest : rest.slice(0, next);
}
