import type { Client } from "./client.ts";
import type { JobEvent } from "./backend.ts";
import { hasEnded } from "./job-info.ts";
import { serverSentEvents } from "../../../contract/event-stream.ts";
import { asRecord, asText, parseJson } from "../base/json.ts";

/** Milliseconds until a broken stream is reopened. */
const retryAfter = 500;

/** Yields a job's events, over broken connections, until the last event of the stream. */
export async function* followEvents(
  client: Client,
  path: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<JobEvent, void, undefined> {
  let last = after;
  for (;;) {
    try {
      const headers: Record<string, string> = last > 0 ? { "last-event-id": String(last) } : {};
      const response = await client.send(path, { headers, signal });
      if (response.status === 204 || response.status === 404 || response.body === null) return;
      if (response.ok) {
        for await (const { data } of serverSentEvents(response.body)) {
          const event = readEvent(parseJson(data));
          last = event.number || last + 1;
          yield event;
          if (event.type === "platform.job.status" && hasEnded(event.data["status"])) return;
        }
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, retryAfter));
    if (signal.aborted || client.challenge.get() !== undefined) return;
  }
}

/** Reads an event's envelope. */
export function readEvent(raw: unknown): JobEvent {
  const { type, timestamp, data, SeqID } = asRecord(raw);
  const body = asRecord(data);
  const at = Date.parse(asText(body["timestamp"]) ?? asText(timestamp) ?? "");
  return { number: Number(SeqID), type: asText(type) ?? "", at: Number.isNaN(at) ? Date.now() : at, data: body, raw };
}
