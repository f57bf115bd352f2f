import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { compileServiceFile } from "../build/compile-entry.ts";
import { fixSources, type WrittenFix } from "../project/fix-sources.ts";
import { paint, printJson, say } from "../base/output.ts";
import { findProject } from "../project/project.ts";
import { type Arguments, CommandError, type CommandHelp, withArguments } from "../base/usage.ts";
import { writeResult } from "../base/write-result.ts";

export const help: CommandHelp = {
  usage: "tenon generate [entry] [options]",
  summary: "Writes the service definition (service.json) that is committed with the code.",
  options: {
    fix: { type: "boolean", help: "first write missing schema markers into the sources" },
    verbose: { type: "boolean", help: "tell each warning of a file in a place of its own" },
    json: { type: "boolean", help: "print what was written as JSON" },
  },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const fixes = given.flag("fix") ? await fixSources(findProject(given.positionals[0])) : undefined;
  if (fixes !== undefined && !given.flag("json")) tellFixes(fixes);
  const { file, text, definition } = await compileServiceFile(given.positionals[0], { verbose: given.flag("verbose") });
  const changed = !existsSync(file) || readFileSync(file, "utf8") !== text;
  if (changed) writeDefinition(file, text);
  if (given.flag("json"))
    printJson({ file, changed, tools: definition.tools.map(({ name }) => name), ...(fixes && { fixes }) });
  else {
    const shown = relative(process.cwd(), file);
    say(changed ? `${paint("green", "wrote")} ${shown}` : `${shown} is up to date`);
  }
  return 0;
}

function writeDefinition(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw new CommandError(`${dirname(file)} cannot be made (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
  writeResult(file, text);
}

function tellFixes(fixes: readonly WrittenFix[]): void {
  for (const { file, line, text } of fixes) say(`${paint("green", "fixed")} ${file}:${line}  ${text}`);
  if (fixes.length === 0) say("There is nothing to fix.");
}
