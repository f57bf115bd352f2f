import { setInterval } from "node:timers";
import type { JobNews } from "../local-platform/jobs/job-news.ts";
import type { WorkerLine } from "../local-platform/workers/run-workers.ts";
import { endOf } from "../local-platform/jobs/job-outcome.ts";
import { withOwnColours } from "../base/colours.ts";
import { paint, say, sayLine } from "../base/output.ts";
import { JobTimer } from "./durations.ts";
import { describeNews, shortId, type StreamEvent } from "./show-events.ts";

/** Maximum lines per second; further ones are counted. */
const linesPerSecond = 40;

export interface LiveView {
  readonly show: (news: JobNews) => void;
  readonly showLine: (line: WorkerLine) => void;
  stop(): void;
}

/** Shows jobs and their steps live: lines for people, or with `json` one object per line on standard output. */
export function createLiveView(json: boolean): LiveView {
  if (json) {
    const write = (data: object): void => void process.stdout.write(`${JSON.stringify(data)}\n`);
    const at = (): string => new Date().toISOString();
    return {
      show: (news) => write(toData(news)),
      showLine: ({ kind, service, text }) => write({ at: at(), service, type: `worker.${kind}`, data: { text } }),
      stop() {},
    };
  }
  let lines = 0;
  let hidden = 0;
  const counts = { started: 0, ended: 0 };
  const jobs = new JobTimer();
  const timer = setInterval(() => {
    if (hidden > 0) {
      say(
        paint("dim", `… ${hidden} more lines; ${counts.started} jobs started and ${counts.ended} ended in this second`),
      );
    }
    lines = hidden = counts.started = counts.ended = 0;
  }, 1000);
  timer.unref();
  return {
    show(news) {
      if (news.kind === "state" && news.state.status === "executing") counts.started++;
      if (news.kind === "end") counts.ended++;
      const took = news.kind === "event" ? undefined : jobs.take(news.id, statusOf(news));
      // Lines beyond the limit are only counted: their text is not made, so that they cost nothing.
      if (++lines > linesPerSecond) {
        hidden++;
        return;
      }
      const text = describeNews(toStreamEvent(news), took);
      if (text === undefined) return;
      sayLine(
        `${paint("dim", new Date().toLocaleTimeString("en-GB"))} ${paint("cyan", news.service)} ${shortId(news.id)} ${text}`,
      );
    },
    showLine(line) {
      // Log lines do not count against the limit. It exists because thousands of jobs may send notifications.
      if (line.kind === "state") showState(line);
      else sayLine(`${paint("dim", `${line.service} |`)} ${steady(line.text)}`);
    },
    stop: () => clearInterval(timer),
  };
}

/** Shows a state change of a worker. */
export function showState({ service, text }: WorkerLine): void {
  sayLine(`${paint("cyan", service)} ${paint("yellow", text)}`);
}

/** A worker's line may contain colours; other control characters become blanks. */
function steady(text: string): string {
  const escape = "\u001B";
  const withoutOther = text.replaceAll(/\p{Cc}(?!\[[\d;]{0,20}m)|[\u0080-\u009F]/gu, (sign) =>
    sign === "\t" ? sign : " ",
  );
  return withOwnColours(withoutOther.includes(escape) ? `${withoutOther}${escape}[0m` : withoutOther);
}

function statusOf(news: Exclude<JobNews, { readonly kind: "event" }>): string {
  return news.kind === "end" ? news.outcome.state : news.state.status;
}

function toStreamEvent(news: JobNews): StreamEvent {
  switch (news.kind) {
    case "event":
      return { type: "platform.job.event", data: news.event.body };
    case "state":
      return { type: "platform.job.status", data: { ...news.state } };
    case "end": {
      const { outcome } = news;
      const message = outcome.state === "succeeded" ? {} : { "error-message": outcome.error.message };
      return { type: "platform.job.status", data: { status: outcome.state, ...message } };
    }
  }
}

function toData(news: JobNews): object {
  const at = new Date().toISOString();
  if (news.kind !== "end") return { at, job: news.id, service: news.service, ...toStreamEvent(news) };
  const { status, contentType } = endOf(news.outcome);
  return {
    at,
    job: news.id,
    service: news.service,
    type: "platform.job.status",
    data: { status, "content-type": contentType },
  };
}
