import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { compileServiceFile } from "../build/compile-entry.ts";
import { diffLines } from "../project/diff-lines.ts";
import { paint, printJson, say } from "../base/output.ts";
import { type Arguments, type CommandHelp, withArguments } from "../base/usage.ts";

const help: CommandHelp = {
  usage: "tenon check [entry] [options]",
  summary:
    "Makes the service definition in memory, compares it with the committed one and exits with 1 when that is stale.",
  options: {
    verbose: { type: "boolean", help: "tell each warning of a file in a place of its own" },
    json: { type: "boolean", help: "print the outcome as JSON" },
  },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const { file, text } = await compileServiceFile(given.positionals[0], { verbose: given.flag("verbose") });
  const committed = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const current = committed === text;
  const shown = relative(process.cwd(), file);
  const difference = current ? [] : diffLines(committed ?? "", text);
  if (given.flag("json")) printJson({ file, current, difference });
  else if (current) say(`${shown} is up to date`);
  else {
    say(committed === undefined ? `${shown} is missing.` : `${shown} is stale:`);
    for (const line of difference) {
      say(line.startsWith("+") ? paint("green", line) : line.startsWith("-") ? paint("red", line) : paint("dim", line));
    }
    say(`\nRun \`tenon generate\` and commit ${shown}.`);
  }
  return current ? 0 : 1;
}
