/** A server-sent event. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

const separator = /\r?\n\r?\n/;

/**
 * Yields the events of a `text/event-stream`, in order, until the stream ends. Stopping early closes the connection.
 * `onPiece` is called for each received piece, with the number of characters of the incomplete event; it may throw.
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  onPiece?: (pending: number) => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  // A reader is used, since not every browser can iterate over streams.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // Each piece is searched once, since a long event arrives in thousands of pieces.
  let rest = "";
  let near = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const piece = decoder.decode(value, { stream: true });
      rest += piece;
      onPiece?.(rest.length);
      near = near.slice(-3) + piece;
      if (!separator.test(near)) continue;
      const blocks = rest.split(separator);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields: Record<string, string> = { event: "message" };
        for (const line of block.split(/\r?\n/)) {
          // Flag `s` is needed, since texts may contain line separators that JSON allows, such as U+2028.
          const [, name = "", text = ""] = /^([a-z]+):? ?(.*)/s.exec(line) ?? [];
          fields[name] = name === "data" && fields["data"] !== undefined ? `${fields["data"]}\n${text}` : text;
        }
        const { id, event = "", data } = fields;
        if (data !== undefined) yield { id, event, data };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
