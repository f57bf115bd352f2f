import { ToolError } from "../../base/errors.ts";
import type { BinaryContent, BinaryResult } from "../../job/binary-result.ts";
import { checkedStream, collectResult, endContent } from "../../job/result-stream.ts";
import type { RunningJob } from "../running/running-job.ts";

/** The stream that an author's result was encoded to. */
export interface ResultStream {
  readonly kind: "binary";
  readonly contentType: string;
  readonly content: ReadableStream<Uint8Array>;
  /** Content that the author gave. */
  readonly origin: BinaryContent;
}

/**
 * Ends a job whose result is a stream: the stream is passed on to a caller that waits, and collected when the result
 * may be asked for again. `onFault` is called with the error of a stream that is passed on.
 */
export async function takeStream(
  job: RunningJob,
  { origin, ...result }: ResultStream,
  onFault: (error: ToolError) => void,
): Promise<void> {
  if (job.ending !== undefined) return endContent(origin);
  if (job.kept || job.submission.repeatable === true) {
    job.end({ state: "succeeded", result: await collectResult(result) });
    return;
  }
  // The job has ended when its stream begins, so an error in the stream cannot change its outcome any more.
  const content = checkedStream(result.content, origin, (thrown) => onFault(ToolError.from(thrown)));
  job.end({ state: "succeeded", result: { ...result, content } });
}

/** Ends the content of a result that nobody gets, since its job was cancelled before. */
export function dropLate({ content }: BinaryResult): Promise<void> {
  return endContent(content);
}
