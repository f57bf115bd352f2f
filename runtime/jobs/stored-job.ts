import { ToolError } from "../errors.ts";
import type { Tool } from "../tool.ts";
import type { Job, JobEvent, JobOutcome, JobState, JobUrn } from "./job.ts";
import type { JobRecord, StoredOutcome } from "./store/job-store.ts";

/** A job as a store has it: ended, or run by another process. */
export class StoredJob implements Job {
  readonly id: JobUrn;
  readonly tool: Tool;
  readonly state: JobState;
  readonly outcome: JobOutcome | undefined;
  readonly #record: JobRecord;

  constructor(record: JobRecord, tool: Tool, outcome: JobOutcome | undefined) {
    this.id = record.id;
    this.tool = tool;
    this.state = record.state;
    this.outcome = outcome;
    this.#record = record;
  }

  /** Of a job that another process runs: never resolves; ask the executor again. */
  get done(): Promise<JobOutcome> {
    return new Promise((resolve) => this.onEnd(resolve));
  }

  onEnd(listener: (outcome: JobOutcome) => void): void {
    if (this.outcome !== undefined) listener(this.outcome);
  }

  onEvent(listener: (event: JobEvent) => void): () => void {
    for (const { sequence, body } of this.#record.events) {
      const timestamp = typeof body["timestamp"] === "string" ? body["timestamp"] : "";
      listener({ sequence, timestamp, body, publicBody: body });
    }
    return () => {};
  }

  /** Use the executor's `cancel`: this object is a copy. */
  cancel(): void {}
}

/** An outcome as stores keep it. Streams must have been collected. */
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

/** The reverse of {@link storableOutcome}. */
export function openOutcome(stored: StoredOutcome): JobOutcome {
  if (stored.state === "succeeded") return stored;
  const { kind, message, problems } = stored.error;
  return { state: stored.state, error: new ToolError(kind, message, problems === undefined ? {} : { problems }) };
}
