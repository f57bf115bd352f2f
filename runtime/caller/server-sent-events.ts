import { requireBounded } from "./bounds.ts";

/** A server-sent event. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

const separator = /\r?\n\r?\n/;

/**
 * The events of a `text/event-stream` body, in order, until it ends. Stopping early closes the connection. Rejects with
 * `unexpected` for an event without an end. @param onPiece Called whenever something comes
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  onPiece?: () => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  // Not every browser has the iterator of streams.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // Each piece is looked through once: a long event comes in thousands of them.
  let [rest, tail] = ["", ""];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onPiece?.();
      const piece = decoder.decode(value, { stream: true });
      rest += piece;
      requireBounded(rest.length, "An event", reader);
      const seen = tail + piece;
      tail = seen.slice(-3);
      if (!separator.test(seen)) continue;
      const blocks = rest.split(separator);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseBlock(block: string): ServerSentEvent | undefined {
  let id: string | undefined;
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ""] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === "id") id = value;
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { id, event, data: data.join("\n") };
}
