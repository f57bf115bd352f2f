import { ByteGatherer } from "../base/byte-gatherer.ts";
import { ToolError } from "../base/errors.ts";
import type { JobResult } from "./job.ts";

/** Maximum size of a result in bytes. Store a bigger one as an artifact. */
export const maxResultBytes: number = 6 * 1024 * 1024;

export const resultTooLarge: string = `The result is larger than the limit of ${maxResultBytes} bytes. Store a large result as an artifact.`;

const publicDetail = "The tool gave a result that does not match its type. The service's log has the reason.";

/** Collects the stream of a result, if it has one, so that the result can be sent any number of times. */
export async function collectResult(result: JobResult): Promise<JobResult> {
  if (result.kind !== "binary" || !(result.content instanceof ReadableStream)) return result;
  const bytes = new ByteGatherer();
  let size = 0;
  for await (const chunk of result.content) {
    size += checkedLength(chunk);
    checkSize(size);
    bytes.add(chunk);
  }
  return { kind: "binary", contentType: result.contentType, content: bytes.whole() };
}

/**
 * Passes a stream on under the rules for collected streams: it fails at the first chunk that exceeds the limit or is
 * not bytes. `onFault` is called with that error, and with exceptions of the author's source.
 */
export function checkedStream(
  source: ReadableStream<Uint8Array>,
  onFault: (thrown: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let size = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            return;
          }
          size += checkedLength(value);
          checkSize(size);
          controller.enqueue(value);
        } catch (thrown) {
          onFault(thrown);
          controller.error(thrown);
          await reader.cancel(thrown).catch(() => {});
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // With this mark, nothing is read before the consumer asks for it.
    { highWaterMark: 0 },
  );
}

function checkedLength(chunk: unknown): number {
  if (!(chunk instanceof Uint8Array)) throw invalidResult("a chunk of the stream is not a Uint8Array");
  return chunk.byteLength;
}

/** Throws `invalid-result` for a result that is larger than the limit. */
export function checkSize(bytes: number): void {
  if (bytes <= maxResultBytes) return;
  throw new ToolError("invalid-result", resultTooLarge);
}

/** Makes the error for a result that cannot be sent: callers get a fixed sentence, the log gets the reason. */
export function invalidResult(reason: string, cause?: unknown): ToolError {
  return new ToolError("invalid-result", publicDetail, {
    cause: new Error(`Invalid result: ${reason}.`, cause === undefined ? undefined : { cause }),
  });
}
