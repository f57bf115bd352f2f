import type { Job, JobEvent } from "../../../job/job.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpStartContext } from "../port/port.ts";

/**
 * Reports what a job says to a client that follows it, by progress or by log messages, beginning with what it has said
 * already. Returns a function that stops it; undefined where the client does not follow.
 */
export function forwardEvents(job: Job, { notifyProgress, log }: McpStartContext): (() => void) | undefined {
  if (notifyProgress !== undefined)
    return job.onEvent((event) => void notifyProgress({ progress: event.sequence, message: progressMessage(event) }));
  if (log === undefined) return undefined;
  return job.onEvent((event) => void log("error" in event.publicBody ? "error" : "info", progressMessage(event)));
}

/** Text of an event for people: its own message, else how far it is, its error, its name, or its kind. */
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
