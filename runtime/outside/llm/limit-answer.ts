/** Maximum bytes of an answer that is read as a whole. */
const largestAnswer = 64 * 1024 * 1024;
/** Maximum bytes of one event of a streamed answer. */
const largestEvent = 16 * 1024 * 1024;

/** Part of an answer that the client holds in memory at once; `none` for a body that only the author reads. */
export type HeldPart = "whole" | "event" | "none";

/** Returns the answer with a body that fails once the client would hold too much of it. Nothing is read ahead. */
export function limitAnswer(response: Response, held: HeldPart): Response {
  const { body, status, statusText, headers } = response;
  // A `fetch` of the author's may have bodies of another kind.
  if (held === "none" || !(body instanceof ReadableStream)) return response;
  const limited = new Response(body.pipeThrough(held === "whole" ? limitWhole() : limitEvents()), {
    status: Math.min(status, 599),
    statusText,
    headers,
  });
  for (const name of ["status", "ok", "url", "redirected"] as const)
    Object.defineProperty(limited, name, { value: response[name] });
  return limited;
}

function limitWhole(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > largestAnswer) throw new Error("the answer has more than 64 MiB");
      controller.enqueue(chunk);
    },
  });
}

/** Counts the bytes since the last blank line, which ends an event. A line ends with LF, CR, or both. */
function limitEvents(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let size = 0;
  let lineSize = 0;
  let afterReturn = false;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        size++;
        const isReturn = byte === 13;
        if (byte === 10 && afterReturn) size--;
        else if (byte !== 10 && !isReturn) lineSize++;
        else {
          if (lineSize === 0) size = 0;
          lineSize = 0;
        }
        afterReturn = isReturn;
      }
      if (size > largestEvent) throw new Error("an event of the streamed answer has more than 16 MiB");
      controller.enqueue(chunk);
    },
  });
}
