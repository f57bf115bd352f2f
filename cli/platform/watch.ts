import { paint, printText, say, sayLine } from "../base/output.ts";
import { withArguments, type Arguments, type CommandHelp } from "../base/usage.ts";
import { askOptions, asker, findJob } from "./ask.ts";
import { JobTimer } from "./durations.ts";
import { openEvents } from "./event-stream.ts";
import { describeNews, shortId } from "./show-events.ts";
import { followJob } from "./submit.ts";

export const help: CommandHelp = {
  usage: "tenon platform watch [job] [options]",
  summary: "Shows live events of all jobs, or of one job from its beginning to its end.",
  options: askOptions,
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const ask = asker(given);
  const [named] = given.positionals;
  const job = named === undefined ? undefined : await findJob(ask, named);
  if (job !== undefined && !given.flag("json")) {
    await followJob(ask, job, sayLine);
    return 0;
  }
  const stream = await openEvents(ask, job === undefined ? "/live" : `/jobs/${encodeURIComponent(job)}/events`);
  if (stream === undefined) return 0;
  if (job === undefined && !given.flag("json")) say(paint("dim", "watching all jobs; stop with Ctrl-C"));
  const jobs = new JobTimer();
  for await (const { data, event } of stream) {
    if (given.flag("json")) {
      printText(`${data}\n`);
      continue;
    }
    const isStatus = event.type === "platform.job.status";
    const took = isStatus ? jobs.take(event["job-urn"] ?? "", String(event.data["status"])) : undefined;
    const line = describeNews(event, took);
    if (line !== undefined) sayLine(`${paint("cyan", event.service ?? "")} ${shortId(event["job-urn"] ?? "")} ${line}`);
  }
  return 0;
}
