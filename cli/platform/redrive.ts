import { paint, printJson, sayLine } from "../base/output.ts";
import { withArguments, type Arguments, type CommandHelp } from "../base/usage.ts";
import { askItem, askOptions, asker, findJob } from "./ask.ts";
import { askDeadLetters, printDeadLetters } from "./dead-letters.ts";

export const help: CommandHelp = {
  usage: "tenon platform redrive [job…] [options]",
  summary:
    "Lists the dead letters: jobs that lost three workers, or whose kept results do not fit their build. With ids, or --all, puts them back into their queues.",
  options: { ...askOptions, all: { type: "boolean", help: "put all of them back" } },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1000, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const ask = asker(given);
  const items = await askDeadLetters(ask);
  const chosen = given.flag("all") ? items.map(({ id }) => String(id)) : given.positionals;
  if (chosen.length === 0) {
    printDeadLetters(items, given.flag("json"));
    return 0;
  }
  const answers: unknown[] = [];
  for (const id of chosen) {
    const job = encodeURIComponent(await findJob(ask, id));
    answers.push(await askItem(ask, `/jobs/${job}/redrive`, { method: "POST" }));
    if (!given.flag("json")) sayLine(`${id} ${paint("green", "waits again")}`);
  }
  if (given.flag("json")) printJson(answers);
  return 0;
}
