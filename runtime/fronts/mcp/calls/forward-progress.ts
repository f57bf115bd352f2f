import type { Job, JobEvent } from "../../../job/job.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpCallContext } from "../port/port.ts";

/** Messages that wait for a slow client; progress is a hint, so what comes on top of them is left out. */
const maxWaiting = 1000;

/**
 * Sends every event of a job as a progress message, in order, until the returned function is called. That resolves
 * when the last one is on its way, so that none can follow the result.
 */
export function forwardProgress(job: Job, notify: NonNullable<McpCallContext["notifyProgress"]>): () => Promise<void> {
  let waiting = 0;
  let last = Promise.resolve();
  const stop = job.onEvent((event) => {
    if (waiting === maxWaiting) return;
    waiting += 1;
    const update = { progress: event.sequence, message: progressMessage(event) };
    last = last.then(() => notify(update)).finally(() => (waiting -= 1));
  });
  return async () => {
    stop();
    await last;
  };
}

/** Sends every event of a job as a log message, like {@link forwardProgress}. */
export function forwardLog(job: Job, log: NonNullable<McpCallContext["log"]>): () => Promise<void> {
  let waiting = 0;
  let last = Promise.resolve();
  const stop = job.onEvent((event) => {
    if (waiting === maxWaiting) return;
    waiting += 1;
    const level = "error" in event.publicBody ? "error" : "info";
    last = last.then(() => log(level, progressMessage(event))).finally(() => (waiting -= 1));
  });
  return async () => {
    stop();
    await last;
  };
}

/** What a person should read: the event's own message, else how far it is, its error, its name, or what kind it is. */
export function progressMessage({ publicBody }: JobEvent): string {
  const options = publicBody["options"];
  const own = isRecord(options) ? (options["message"] ?? howFar(publicBody["name"], options)) : undefined;
  const candidates = [own, publicBody["error"], publicBody["name"]];
  const text = candidates.find((candidate) => typeof candidate === "string" && candidate !== "");
  return typeof text === "string" ? text : String(publicBody["$schema"]);
}

/** `load: 50 of 100`, for an event that says so in numbers. */
function howFar(name: unknown, { progress, total }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof progress !== "number") return undefined;
  const of = typeof total === "number" ? `${progress} of ${total}` : String(progress);
  return typeof name === "string" && name !== "" ? `${name}: ${of}` : of;
}
