import { serverSentEvents } from "../../runtime/contract/event-stream.ts";
import { isObject } from "../base/is-object.ts";
import { cut, otherForm } from "../base/read-answer.ts";
import type { Ask } from "./ask.ts";
import type { StreamEvent } from "./show-events.ts";

/** An event of a stream, also as it came. */
interface Received {
  readonly id: string | undefined;
  readonly data: string;
  readonly event: StreamEvent;
}

/**
 * Opens a stream of events of the platform; undefined if there are no more. Rejects with `CommandError`, as does the
 * stream: the address may belong to another program, and a platform may end.
 */
export async function openEvents(
  ask: Ask,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<AsyncIterable<Received> | undefined> {
  const stream = await ask(path, { headers: { accept: "text/event-stream", ...headers } });
  const { body, url } = stream;
  if (body === null || stream.status === 204) return undefined;
  if (stream.headers.get("content-type")?.startsWith("text/event-stream") === true) return read(body, url);
  await body.cancel();
  throw otherForm(url, "platform");
}

async function* read(body: ReadableStream<Uint8Array>, url: string): AsyncGenerator<Received, void, undefined> {
  try {
    for await (const { id, data } of serverSentEvents(body)) yield { id, data, event: eventOf(data, url) };
  } catch (error) {
    cut(url, error);
  }
}

function eventOf(data: string, url: string): StreamEvent {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    // The error is reported below, as for JSON of another form.
  }
  if (isStreamEvent(event)) return event;
  throw otherForm(url, "platform");
}

function isStreamEvent(event: unknown): event is StreamEvent {
  return isObject(event) && typeof event["type"] === "string" && isObject(event["data"]);
}
