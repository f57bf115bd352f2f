import type { ServerResponse } from "node:http";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { StoredOutcome } from "../../../runtime/executor/store/job-store.ts";
import { notFound, readSeconds, type Exchange } from "./exchange.ts";
import type { JobHub } from "../jobs/job-hub.ts";
import type { JobEnd, JobNews, NumberedEvent } from "../jobs/job-news.ts";
import { endOf } from "../jobs/job-outcome.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { RegisteredService } from "../services/known-services.ts";
import { schemaOfJson } from "../services/service-tools.ts";

/** Maximum unread bytes of a slow reader. Beyond this limit the stream is ended, and the reader can resume it. */
const maxUnread = 4 * 1024 * 1024;
const heartbeatMs = 15_000;
const streamHeaders = ["Content-Type", "text/event-stream", "Cache-Control", "no-store", "X-Accel-Buffering", "no"];

export interface JobEventsOptions {
  readonly exchange: Exchange;
  readonly queue: JobQueue;
  readonly hub: JobHub;
  readonly service: RegisteredService;
  readonly id: JobUrn;
}

/** The envelope of everything that clients receive about a job. */
export interface EventEnvelope {
  readonly type: "platform.job.event" | "platform.job.result" | "platform.job.status";
  readonly schema: string;
  readonly data: unknown;
}

/**
 * Streams the events of one job, from the first event or from after `Last-Event-ID`, followed by its result and its
 * status. Status 204 stops readers that already have all events.
 */
export async function streamJobEvents({ exchange, queue, hub, service, id }: JobEventsOptions): Promise<void> {
  const after = Number(/^\d{1,15}$/.exec(exchange.header("last-event-id") ?? "")?.[0] ?? 0);
  const most = Number(/^\d{1,9}$/.exec(exchange.query("max-messages") ?? "")?.[0] ?? Infinity);
  const seconds = readSeconds("max-wait-time", exchange.query("max-wait-time"), 86_400);
  // Notifications during the query are buffered, and sent after the stored events.
  const kept: JobNews[] = [];
  let handle = (news: JobNews): void => void kept.push(news);
  const unfollow = hub.follow(id, (news) => handle(news));
  const record = await queue.known.get(id);
  if (record === undefined || exchange.gone) {
    unfollow();
    throw notFound(`job ${id}`);
  }
  const lastStored = record.events.at(-1)?.sequence ?? 0;
  if (record.outcome !== undefined && lastStored + endEnvelopes(id, service, record.outcome).length <= after) {
    unfollow();
    return exchange.send(204);
  }
  const stream = openStream(exchange, hub, seconds, unfollow);
  let last = 0;
  let sent = 0;
  const send = (number: number, envelope: EventEnvelope, timestamp: string): void => {
    last = number;
    if (number <= after || sent >= most) return;
    stream.write(serverSentEvent(id, service, number, envelope, timestamp));
    if (++sent >= most) stream.end();
  };
  const tellEvent = (event: NumberedEvent): void => {
    if (event.sequence > last) send(event.sequence, envelopeOf(event), timestampOf(event));
  };
  const tellEnd = ({ outcome, endedAt = Date.now() }: JobEnd): void => {
    const at = new Date(endedAt).toISOString();
    for (const envelope of endEnvelopes(id, service, outcome)) send(last + 1, envelope, at);
    stream.end();
  };
  for (const event of record.events) tellEvent(event);
  handle = (news) => {
    if (news.kind === "event") tellEvent(news.event);
    else if (news.kind === "end") tellEnd(news);
  };
  const { outcome, endedAt } = record;
  if (outcome !== undefined) tellEnd({ outcome, endedAt });
  else for (const news of kept) handle(news);
}

/** Streams all future notifications of all jobs, as server-sent events without numbers. */
export function streamAllNews(
  exchange: Exchange,
  hub: JobHub,
  serviceOf: (key: string) => RegisteredService | undefined,
): void {
  const unfollow = hub.followAll((news) => {
    const service = serviceOf(news.service);
    if (service === undefined) return;
    const endedAt = news.kind === "end" ? news.endedAt : undefined;
    const now = new Date(endedAt ?? Date.now()).toISOString();
    const tell = (envelope: EventEnvelope): void => {
      const data = { ...envelope, "job-urn": news.id, service: service.key, timestamp: now };
      stream.write(`data: ${JSON.stringify(data)}\n\n`);
    };
    if (news.kind === "event") tell(envelopeOf(news.event));
    else if (news.kind === "end") for (const envelope of endEnvelopes(news.id, service, news.outcome)) tell(envelope);
    else tell(statusEnvelope({ "job-urn": news.id, ...news.state }));
  });
  const stream = openStream(exchange, hub, undefined, unfollow);
}

interface EventStream {
  write(text: string): void;
  end(): void;
}

function openStream(exchange: Exchange, hub: JobHub, seconds: number | undefined, onEnd: () => void): EventStream {
  const response: ServerResponse = exchange.stream(200, streamHeaders);
  let open = true;
  const write = (text: string): void => {
    if (!open) return;
    response.write(text);
    if (response.writableLength > maxUnread) end();
  };
  const heartbeat = setInterval(() => write(": \n\n"), heartbeatMs);
  const timer = seconds === undefined ? undefined : setTimeout(() => end(), seconds * 1000);
  const end = (): void => {
    if (!open) return;
    open = false;
    clearInterval(heartbeat);
    clearTimeout(timer);
    stopWaiting();
    onEnd();
    response.end();
  };
  const stopWaiting = hub.onClose(end);
  response.once("close", end);
  // Headers are sent with the first bytes, so that a reader knows at once that it is connected.
  write(": \n\n");
  return { write, end };
}

function envelopeOf({ body }: NumberedEvent): EventEnvelope {
  const { stacktrace: _, ...data } = body;
  return { type: "platform.job.event", schema: String(body["$schema"]), data };
}

function timestampOf({ body }: NumberedEvent): string {
  return typeof body["timestamp"] === "string" ? body["timestamp"] : new Date().toISOString();
}

function endEnvelopes(id: JobUrn, service: RegisteredService, outcome: StoredOutcome): readonly EventEnvelope[] {
  if (outcome.state !== "succeeded") {
    return [statusEnvelope({ "job-urn": id, status: outcome.state, "error-message": outcome.error.message })];
  }
  const { contentType, body } = endOf(outcome);
  const head = typeof body === "string" ? body : Buffer.from(body.subarray(0, 400)).toString();
  const schema = contentType.startsWith("application/json") ? schemaOfJson(head) : undefined;
  const data = {
    "content-type": schema === undefined ? contentType : `application/vnd.platform.${schema}`,
    "job-urn": id,
    location: `/services2/${service.key}/jobs/${id}/output`,
  };
  return [
    { type: "platform.job.result", schema: "urn:platform:schema:job.result.1", data },
    statusEnvelope({ "job-urn": id, status: outcome.state }),
  ];
}

function statusEnvelope(data: object): EventEnvelope {
  return { type: "platform.job.status", schema: "urn:platform:schema:job.status.1", data };
}

/** `data` is JSON, which has no line breaks. */
function serverSentEvent(
  id: JobUrn,
  service: RegisteredService,
  number: number,
  { type, schema, data }: EventEnvelope,
  timestamp: string,
): string {
  const SeqID = String(number).padStart(8, "0");
  const eventID = `${id.slice(id.lastIndexOf(":") + 1)}.${number}`;
  return `id: ${SeqID}\ndata: ${JSON.stringify({ SeqID, eventID, type, schema, source: service.key, timestamp, data })}\n\n`;
}
