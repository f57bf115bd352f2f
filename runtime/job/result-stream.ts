import { ByteGatherer } from "../base/byte-gatherer.ts";
import type { BinaryContent } from "./binary-result.ts";
import type { JobResult } from "./job.ts";
import { checkSize, invalidResult } from "./result-bytes.ts";

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
 *
 * @param origin The content that the author gave, from which the stream was made
 */
export function checkedStream(
  source: ReadableStream<Uint8Array>,
  origin: BinaryContent,
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
      async cancel(reason) {
        await reader.cancel(reason);
        await endContent(origin);
      },
    },
    // With this mark, nothing is read before the consumer asks for it.
    { highWaterMark: 0 },
  );
}

/**
 * Ends the source of content that nobody reads. A Node stream is destroyed: its file stays open otherwise, as its
 * iterator ends only what it has begun to read. Never rejects.
 */
export async function endContent(content: BinaryContent): Promise<void> {
  if (typeof content === "string" || content instanceof Uint8Array) return;
  try {
    if (content instanceof ReadableStream) await content.cancel();
    else if ("destroy" in content && typeof content.destroy === "function") content.destroy();
    else await content[Symbol.asyncIterator]().return?.();
  } catch {
    // Whatever the source throws, nobody waits for it.
  }
}

function checkedLength(chunk: unknown): number {
  if (!(chunk instanceof Uint8Array)) throw invalidResult("a chunk of the stream is not a Uint8Array");
  return chunk.byteLength;
}
