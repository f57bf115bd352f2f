import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { compileServiceFile } from "./compile-entry.ts";
import { paint, printJson, say } from "./output.ts";
import { type CommandHelp, formatHelp, readArguments } from "./usage.ts";

const help: CommandHelp = {
  usage: "tenon generate [entry] [options]",
  summary: "Writes the service definition (service.json) that is committed with the code.",
  options: { json: { type: "boolean", help: "print what was written as JSON" } },
};

export async function run(words: readonly string[]): Promise<number> {
  const given = readArguments(words, help, 1);
  if (given.flag("help")) {
    process.stdout.write(formatHelp(help));
    return 0;
  }
  const { file, text, definition } = await compileServiceFile(given.positionals[0]);
  const changed = !existsSync(file) || readFileSync(file, "utf8") !== text;
  if (changed) writeFileSync(file, text);
  if (given.flag("json")) printJson({ file, changed, tools: definition.tools.map(({ name }) => name) });
  else {
    const shown = relative(process.cwd(), file);
    say(changed ? `${paint("green", "wrote")} ${shown}` : `${shown} is up to date`);
  }
  return 0;
}
