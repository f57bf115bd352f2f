import { bareJobId } from "../../job/job-id.ts";
import type { Job, JobEvent, JobOutcome } from "../../job/job.ts";
import type { Hold } from "../http/held-by-stream.ts";
import { jobLocation } from "./answer-job.ts";

/** Unread bytes that a slow reader may have. Beyond it the stream ends, and the reader resumes. */
const maxUnread = 4 * 1024 * 1024;
const heartbeatMs = 15_000;

/**
 * The events of a job as server-sent events, from the one after `after`: steps and progress, then result and status.
 * Undefined when there are no more, which tells the reader to stop.
 *
 * @param hold Takes the bytes that wait for the reader.
 */
export function jobEventStream(
  job: Job,
  after: number,
  from: EventOrigin,
  hold: Hold = () => {},
): ReadableStream<Uint8Array> | undefined {
  const { outcome } = job;
  if (outcome !== undefined && lastNumber(job, outcome) <= after) return undefined;
  let stop = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let last = 0;
        let open = true;
        let unsubscribe = (): void => {};
        const heartbeat = setInterval(() => send(": \n\n"), heartbeatMs).unref();
        stop = () => {
          open = false;
          clearInterval(heartbeat);
          unsubscribe();
        };
        const send = (text: string): void => {
          if (!open) return;
          controller.enqueue(Buffer.from(text));
          hold(unread(controller));
          if ((controller.desiredSize ?? 0) > 0) return;
          stop();
          controller.close();
        };
        const sendEnvelope = (number: number, envelope: Envelope): void => {
          last = number;
          if (number > after) send(serverSentEvent(job, number, from.source, envelope));
        };
        // Headers are sent with the first bytes, so that a reader knows at once that it is connected.
        send(": \n\n");
        unsubscribe = job.onEvent((event) => {
          const before = Math.max(last, after);
          const lost = event.sequence - before - 1;
          if (lost > 0) sendEnvelope(before + lost, lostEnvelope(lost, before + lost));
          sendEnvelope(event.sequence, eventEnvelope(event));
        });
        job.onEnd((ended) => {
          for (const envelope of endEnvelopes(job, ended, from.base)) sendEnvelope(last + 1, envelope);
          if (!open) return;
          stop();
          controller.close();
        });
      },
      // Called after each read.
      pull: (controller) => hold(unread(controller)),
      cancel: () => stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnread }),
  );
}

function unread({ desiredSize }: ReadableStreamDefaultController): number {
  return maxUnread - (desiredSize ?? maxUnread);
}

/** The sender of the events, and the path under which it serves its jobs. */
interface EventOrigin {
  readonly source: string;
  readonly base?: string | undefined;
}

interface Envelope {
  readonly type: "platform.job.event" | "platform.job.result" | "platform.job.status";
  readonly schema: string;
  readonly timestamp: string;
  readonly data: unknown;
}

function eventEnvelope({ timestamp, publicBody }: JobEvent): Envelope {
  return { type: "platform.job.event", schema: String(publicBody["$schema"]), timestamp, data: publicBody };
}

/** An event in the place of those that a job has reported and nobody keeps any more. It has the number of the last. */
function lostEnvelope(lost: number, sequence: number): Envelope {
  const schema = "urn:platform:schema:service.event.generic.1";
  const timestamp = new Date().toISOString();
  const message = `${lost} earlier ${lost === 1 ? "event is" : "events are"} not kept any more.`;
  const data = { $schema: schema, name: "events-dropped", dropped: lost, message, timestamp, sequence };
  return { type: "platform.job.event", schema, timestamp, data };
}

function endEnvelopes(job: Job, outcome: JobOutcome, base: string | undefined): Envelope[] {
  const timestamp = new Date().toISOString();
  const status: Envelope = {
    type: "platform.job.status",
    schema: "urn:platform:schema:job.status.1",
    timestamp,
    data: { "job-urn": job.id, status: outcome.state },
  };
  if (outcome.state !== "succeeded") return [status];
  const result: Envelope = {
    type: "platform.job.result",
    schema: "urn:platform:schema:job.result.1",
    timestamp,
    data: { "content-type": contentType(job, outcome.result), "job-urn": job.id, location: jobLocation(job, base) },
  };
  return [result, status];
}

function contentType(job: Job, result: Extract<JobOutcome, { readonly state: "succeeded" }>["result"]): string {
  if (result.kind === "binary") return result.contentType;
  if (result.kind === "text") return "text/plain; charset=utf-8";
  const { urn } = job.tool.definition.result;
  return urn === undefined ? "application/json" : `application/vnd.platform.${urn}`;
}

function lastNumber(job: Job, outcome: JobOutcome): number {
  let last = 0;
  job.onEvent(({ sequence }) => (last = sequence))();
  return last + (outcome.state === "succeeded" ? 2 : 1);
}

/** `data` has only JSON, which has no line breaks; no user's text is anywhere else. */
function serverSentEvent(job: Job, number: number, source: string, envelope: Envelope): string {
  const SeqID = String(number).padStart(8, "0");
  const eventID = `${bareJobId(job.id)}.${number}`;
  const { type, schema, timestamp, data } = envelope;
  return `id: ${SeqID}\ndata: ${JSON.stringify({ SeqID, eventID, type, schema, source, timestamp, data })}\n\n`;
}
