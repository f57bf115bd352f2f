import type { JobOutcome } from "../../job/job.ts";
import type { StoredOutcome } from "../store/job-store.ts";

/** Converts an outcome for the store. Streams must have been collected. */
export function storableOutcome(outcome: JobOutcome): StoredOutcome {
  if (outcome.state !== "succeeded") {
    const { kind, message, problems } = outcome.error;
    return { state: outcome.state, error: { kind, message, ...(problems === undefined ? {} : { problems }) } };
  }
  const { result } = outcome;
  if (result.kind !== "binary") return { state: "succeeded", result };
  const { contentType, content } = result;
  if (content instanceof ReadableStream) throw new TypeError("A stream cannot be stored.");
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return { state: "succeeded", result: { kind: "binary", contentType, content: bytes } };
}
