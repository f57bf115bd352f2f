import { paint, printJson, sayLine } from "../base/output.ts";
import { UsageError, withArguments, type Arguments, type CommandHelp } from "../base/usage.ts";
import { askItem, askOptions, asker, serviceToken, findJob } from "./ask.ts";

export const help: CommandHelp = {
  usage: "tenon platform fork <job> [options]",
  summary:
    "Runs an ended job again, as a new one with the results that its steps had kept, and prints the id of that. --url may also be the address of a service, with its token in TENON_TOKEN.",
  options: {
    ...askOptions,
    from: { type: "string", value: "STEP", help: "begin again with this step: NAME or NAME[KEY]" },
  },
  examples: ["tenon platform fork 3f9a --from charge", "tenon platform fork 3f9a --from 'ship[2]'"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const [named] = given.positionals;
  if (named === undefined) throw new UsageError(`Name the job. Usage: ${help.usage}`);
  const ask = asker(given);
  const from = given.text("from");
  const headers = {
    ...(from !== undefined && { "content-type": "application/json" }),
    ...serviceToken(given),
  };
  const answer = await askItem(ask, `/jobs/${encodeURIComponent(await findJob(ask, named))}/fork`, {
    method: "POST",
    headers,
    ...(from !== undefined && { body: JSON.stringify({ from }) }),
  });
  if (given.flag("json")) printJson(answer);
  else sayLine(`${named} ${paint("green", "runs again")} as ${String(answer["job-id"])}`);
  return 0;
}
