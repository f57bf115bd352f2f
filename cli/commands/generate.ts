import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { compileServiceFile } from "../build/compile-entry.ts";
import { fixSources, type WrittenFix } from "../project/fix-sources.ts";
import { paint, printJson, say } from "../base/output.ts";
import { findProject } from "../project/project.ts";
import { type Arguments, type CommandHelp, withArguments } from "../base/usage.ts";

const help: CommandHelp = {
  usage: "tenon generate [entry] [options]",
  summary: "Writes the service definition (service.json) that is committed with the code.",
  options: {
    fix: { type: "boolean", help: "first write missing schema markers, and stubs for missing texts, into the sources" },
    json: { type: "boolean", help: "print the written files as JSON" },
  },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const fixes = given.flag("fix") ? await fixSources(findProject(given.positionals[0])) : undefined;
  if (fixes !== undefined && !given.flag("json")) tellFixes(fixes);
  const { file, text, definition } = await compileServiceFile(given.positionals[0]);
  const changed = !existsSync(file) || readFileSync(file, "utf8") !== text;
  if (changed) writeFileSync(file, text);
  if (given.flag("json"))
    printJson({ file, changed, tools: definition.tools.map(({ name }) => name), ...(fixes && { fixes }) });
  else {
    const shown = relative(process.cwd(), file);
    say(changed ? `${paint("green", "wrote")} ${shown}` : `${shown} is up to date`);
  }
  return 0;
}

function tellFixes(fixes: readonly WrittenFix[]): void {
  for (const { file, line, text } of fixes) say(`${paint("green", "fixed")} ${file}:${line}  ${text}`);
  const stubs = fixes.filter(({ text }) => text.includes("TODO")).length;
  if (fixes.length === 0) say("There is nothing to fix.");
  else if (stubs > 0)
    say(`${stubs} of them ${stubs === 1 ? "is a stub" : "are stubs"}: callers read what you write at \`TODO\`.`);
}
