import { ownEventText } from "../../../base/own-event.ts";
import type { Job, JobEvent } from "../../../job/job.ts";
import { eventMeta } from "../port/job-meta.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpStartContext } from "../port/port.ts";

/**
 * Forwards a job's past and future events to a client that follows the job, as progress or log messages. Returns a
 * function that stops forwarding; undefined when the client does not follow.
 */
export function forwardEvents(job: Job, { notifyProgress, log }: McpStartContext): (() => void) | undefined {
  if (notifyProgress !== undefined)
    return job.onEvent(
      (event) =>
        void notifyProgress({ progress: event.sequence, message: progressMessage(event), _meta: eventMeta(event) }),
    );
  if (log === undefined) return undefined;
  return job.onEvent((event) => void log("error" in event.publicBody ? "error" : "info", progressMessage(event)));
}

/**
 * Returns a text about an event for people: its own message, else its progress, error, name, or kind. For an event of
 * an author's class: name and fields.
 */
export function progressMessage({ publicBody }: JobEvent): string {
  const options = publicBody["options"];
  const own = isObject(options) ? (options["message"] ?? howFar(publicBody["name"], options)) : undefined;
  const candidates = [own, publicBody["error"], ownEventText(publicBody), publicBody["name"]];
  const text = candidates.find((candidate) => typeof candidate === "string" && candidate !== "");
  return typeof text === "string" ? text : String(publicBody["$schema"]);
}

/** Progress of an event in numbers, for example `load: 50 of 100`. */
function howFar(name: unknown, { progress, total }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof progress !== "number") return undefined;
  const of = typeof total === "number" ? `${progress} of ${total}` : String(progress);
  return typeof name === "string" && name !== "" ? `${name}: ${of}` : of;
}
