import { bareJobId } from "../../job/job-id.ts";
import type { Job, JobEvent, JobOutcome } from "../../job/job.ts";
import { jobLocation } from "./pending-answer.ts";

/** The sender of the events, and the path prefix of its jobs. */
export interface EventOrigin {
  readonly source: string;
  readonly base?: string | undefined;
}

interface Envelope {
  readonly type: "platform.job.event" | "platform.job.result" | "platform.job.status";
  readonly schema: string;
  readonly timestamp: string;
  readonly data: unknown;
}

/** Formats an event of a job as a server-sent event. */
export function eventFrame(job: Job, from: EventOrigin, { sequence, timestamp, publicBody }: JobEvent): string {
  const schema = String(publicBody["$schema"]);
  return frame(job, from, sequence, { type: "platform.job.event", schema, timestamp, data: publicBody });
}

/** Makes an event that replaces reported events which are no longer stored. Its number is that of the last of them. */
export function lostFrame(job: Job, from: EventOrigin, lost: number, sequence: number): string {
  const schema = "urn:platform:schema:service.event.generic.1";
  const timestamp = new Date().toISOString();
  const message = `${lost} earlier ${lost === 1 ? "event is" : "events are"} not kept any more.`;
  const data = { $schema: schema, name: "events-dropped", dropped: lost, message, timestamp, sequence };
  return frame(job, from, sequence, { type: "platform.job.event", schema, timestamp, data });
}

/** Number of events that {@link endFrames} adds. */
export function endCount({ state }: JobOutcome): number {
  return state === "succeeded" ? 2 : 1;
}

/** The last events of a job, numbered after `last`: the address of its result, if it has one, and its final status. */
export function endFrames(job: Job, from: EventOrigin, outcome: JobOutcome, last: number): readonly string[] {
  const timestamp = new Date(job.endedAt ?? Date.now()).toISOString();
  const status: Envelope = {
    type: "platform.job.status",
    schema: "urn:platform:schema:job.status.1",
    timestamp,
    data: { "job-urn": job.id, status: outcome.state },
  };
  if (outcome.state !== "succeeded") return [frame(job, from, last + 1, status)];
  const location = jobLocation(job, from.base);
  const result: Envelope = {
    type: "platform.job.result",
    schema: "urn:platform:schema:job.result.1",
    timestamp,
    data: { "content-type": contentType(job, outcome.result), "job-urn": job.id, location },
  };
  return [frame(job, from, last + 1, result), frame(job, from, last + 2, status)];
}

function contentType(job: Job, result: Extract<JobOutcome, { readonly state: "succeeded" }>["result"]): string {
  if (result.kind === "binary") return result.contentType;
  if (result.kind === "text") return "text/plain; charset=utf-8";
  const { urn } = job.tool.definition.result;
  return urn === undefined ? "application/json" : `application/vnd.platform.${urn}`;
}

/** Makes an event. `data` is JSON, which has no line breaks; the other fields contain no text of users. */
function frame(job: Job, { source }: EventOrigin, number: number, envelope: Envelope): string {
  const SeqID = String(number).padStart(8, "0");
  const eventID = `${bareJobId(job.id)}.${number}`;
  const { type, schema, timestamp, data } = envelope;
  return `id: ${SeqID}\ndata: ${JSON.stringify({ SeqID, eventID, type, schema, source, timestamp, data })}\n\n`;
}
