import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { compileServiceFile } from "../build/compile-entry.ts";
import { runExamples, type ExampleRun } from "../call/run-examples.ts";
import { diffLines } from "../project/diff-lines.ts";
import { paint, printJson, say } from "../base/output.ts";
import { type Arguments, type CommandHelp, withArguments } from "../base/usage.ts";

export const help: CommandHelp = {
  usage: "tenon check [entry] [options]",
  summary:
    "Makes the service definition in memory, compares it with the committed one and exits with 1 when that is stale.",
  options: {
    examples: {
      type: "boolean",
      help: "build the service, call each tool with its @example requests, and exit with 1 when one fails",
    },
    verbose: { type: "boolean", help: "tell each warning of a file in a place of its own" },
    json: { type: "boolean", help: "print the outcome as JSON" },
  },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const { file, text, definition } = await compileServiceFile(given.positionals[0], {
    verbose: given.flag("verbose"),
  });
  const committed = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const current = committed === text;
  const shown = relative(process.cwd(), file);
  const difference = current ? [] : diffLines(committed ?? "", text);
  const examples = given.flag("examples") ? await runExamples(given.positionals[0], definition) : undefined;
  const failed = examples?.filter(({ ok }) => !ok) ?? [];
  if (given.flag("json")) printJson({ file, current, difference, ...(examples && { examples }) });
  else if (current) say(`${shown} is up to date`);
  else {
    say(committed === undefined ? `${shown} is missing.` : `${shown} is stale:`);
    for (const line of difference) {
      say(line.startsWith("+") ? paint("green", line) : line.startsWith("-") ? paint("red", line) : paint("dim", line));
    }
    say(`\nRun \`tenon generate\` and commit ${shown}.`);
  }
  if (examples !== undefined && !given.flag("json")) tellExamples(examples);
  return current && failed.length === 0 ? 0 : 1;
}

function tellExamples(examples: readonly ExampleRun[]): void {
  if (examples.length === 0) say("No tool has an `@example`.");
  for (const { tool, title, ok, answer } of examples) {
    say(`${ok ? paint("green", "ok    ") : paint("red", "failed")} ${tool}  ${title}`);
    if (!ok) say(answer.replaceAll(/^/gm, "       "));
  }
}
