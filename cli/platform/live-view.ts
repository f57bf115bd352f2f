import { setInterval } from "node:timers";
import type { JobNews } from "../local-platform/job-hub.ts";
import { endOf } from "../local-platform/job-outcome.ts";
import { paint, say } from "../output.ts";
import { describeNews, shortId } from "./show-events.ts";
import type { StreamEvent } from "./show-events.ts";

/** Lines that a second may have; what is more is counted. */
const linesPerSecond = 40;

export interface LiveView {
  readonly show: (news: JobNews) => void;
  stop(): void;
}

/** Shows jobs and their steps as they happen: lines for people, or with `json` one object per line on standard output. */
export function createLiveView(json: boolean): LiveView {
  if (json) return { show: (news) => void process.stdout.write(`${JSON.stringify(toData(news))}\n`), stop() {} };
  let lines = 0;
  let hidden = 0;
  const counts = { started: 0, ended: 0 };
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
      // What is not shown should cost nothing: not even its text is made.
      if (++lines > linesPerSecond) {
        hidden++;
        return;
      }
      const text = describeNews(toStreamEvent(news));
      if (text === undefined) return;
      say(
        `${paint("dim", new Date().toLocaleTimeString("en-GB"))} ${paint("cyan", news.service)} ${shortId(news.id)} ${text}`,
      );
    },
    stop: () => clearInterval(timer),
  };
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
