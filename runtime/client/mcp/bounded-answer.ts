import { requireBounded } from "../call-error.ts";

/**
 * Limits the length of an answer, and in a stream that of each event.
 *
 * @param answerTo Makes the message that ends a stream whose event is too long; the official client would otherwise
 *   open the stream again
 */
export function boundedAnswer(
  response: Response,
  address: string,
  answerTo?: (reason: string) => object | undefined,
): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const decoder = new TextDecoder();
  let size = 0;
  let near = "";
  const limit = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      size += piece.length;
      if (isStream) {
        near = near.slice(-2) + decoder.decode(piece, { stream: true });
        size = Math.min(size, sinceBlankLine(near));
      }
      try {
        requireBounded(size, isStream ? "An event" : address);
        controller.enqueue(piece);
      } catch (error) {
        const last = answerTo?.((error as Error).message);
        if (!isStream || last === undefined) throw error;
        controller.enqueue(new TextEncoder().encode(`\n\ndata: ${JSON.stringify(last)}\n\n`));
        controller.terminate();
      }
    },
  });
  return response.body === null ? response : new Response(response.body.pipeThrough(limit), response);
}

/** Number of characters behind the last blank line, which ends an event. */
function sinceBlankLine(text: string): number {
  const ends = ["\n\n", "\n\r\n", "\r\r"].map((blank) => {
    const start = text.lastIndexOf(blank);
    return start < 0 ? Infinity : text.length - start - blank.length;
  });
  return Math.min(...ends);
}
