import { ToolError } from "../../base/errors.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { Job, JobEvent, JobOutcome, JobState, JobUrn, Submission } from "../../job/job.ts";
import type { OpenQuestions, JobClient } from "../../job/question.ts";
import { unanswered } from "./unanswered.ts";
import { waitsFor, type WaitsFor } from "../../job/steps/waits-for.ts";
import type { JobRecord, StoredEvent, StoredOutcome, NewJob } from "../store/job-store.ts";

/** A job from the store: ended, waiting, or run by another process. */
export class StoredJob implements Job {
  readonly id: JobUrn;
  readonly tool: Tool;
  state: JobState;
  outcome: JobOutcome | undefined;
  endedAt: number | undefined;
  questions: OpenQuestions | undefined;
  waitsFor: WaitsFor | undefined;
  #events: readonly StoredEvent[];
  readonly #follow: (job: StoredJob) => void;
  readonly #onEnd = new Set<(outcome: JobOutcome) => void>();
  readonly #onEvent = new Set<(event: JobEvent) => void>();

  /**
   * Wraps the record of a stored job.
   *
   * @param follow Called when somebody listens to a job that has not ended; must then call `update` with each change.
   */
  constructor(record: JobRecord, tool: Tool, follow: (job: StoredJob) => void) {
    this.id = record.id;
    this.tool = tool;
    this.state = record.state;
    this.outcome = record.outcome && openOutcome(record.outcome);
    this.endedAt = record.endedAt;
    this.questions = unanswered(record);
    this.waitsFor = waitsFor(record.waiting);
    this.#events = record.events;
    this.#follow = follow;
  }

  /** True while somebody listens to the events of the job. */
  get hearsEvents(): boolean {
    return this.#onEvent.size > 0;
  }

  get done(): Promise<JobOutcome> {
    return new Promise((resolve) => this.onEnd(resolve));
  }

  onEnd(listener: (outcome: JobOutcome) => void): void {
    if (this.outcome !== undefined) {
      listener(this.outcome);
      return;
    }
    this.#onEnd.add(listener);
    this.#follow(this);
  }

  offEnd(listener: (outcome: JobOutcome) => void): void {
    this.#onEnd.delete(listener);
  }

  onEvent(listener: (event: JobEvent) => void): () => void {
    for (const event of this.#events) listener(openEvent(event));
    if (this.outcome !== undefined) return () => {};
    this.#onEvent.add(listener);
    this.#follow(this);
    return () => this.#onEvent.delete(listener);
  }

  /** Has no effect, since this object only shows the stored state: use the executor's `cancel`. */
  cancel(): void {}

  /** Updates the job from the store; undefined when the store has dropped it. */
  update(record: JobRecord | undefined): void {
    if (this.outcome !== undefined) return;
    const last = this.#events.at(-1)?.sequence ?? 0;
    for (const event of record?.events ?? []) {
      if (event.sequence > last) for (const listener of this.#onEvent) listener(openEvent(event));
    }
    this.#events = record?.events ?? this.#events;
    this.questions = record && unanswered(record);
    this.waitsFor = waitsFor(record?.waiting);
    this.state = record?.state ?? "error";
    this.endedAt = record?.endedAt;
    this.outcome = record === undefined ? gone : record.outcome && openOutcome(record.outcome);
    if (this.outcome === undefined) return;
    this.#onEvent.clear();
    for (const listener of this.#onEnd) listener(this.outcome);
    this.#onEnd.clear();
  }
}

const gone: JobOutcome = {
  state: "error",
  error: new ToolError("not-found", "The job does not exist, or has expired."),
};

/** Converts a stored event into an event. */
export function openEvent({ sequence, body }: StoredEvent): JobEvent {
  const timestamp = typeof body["timestamp"] === "string" ? body["timestamp"] : "";
  return { sequence, timestamp, body, publicBody: body };
}

/** Converts a stored outcome back: the inverse of `storableOutcome`. */
function openOutcome(stored: StoredOutcome): JobOutcome {
  if (stored.state === "succeeded") return stored;
  const { kind, message, problems } = stored.error;
  return { state: stored.state, error: new ToolError(kind, message, problems === undefined ? {} : { problems }) };
}

/**
 * Converts a claimed job into a submission.
 * @param record The record with the events of earlier attempts, if there are any
 * @param client The client that the job asks
 */
export function submissionOf(
  job: NewJob,
  tool: Tool,
  record: JobRecord | undefined,
  client: JobClient | undefined,
): Submission {
  const { id, input, owner, caller, idempotency, traceparent, tracestate, baggage } = job;
  const earlier = record?.events.map(openEvent);
  return {
    tool,
    input,
    id,
    owner,
    caller,
    idempotency,
    traceparent,
    tracestate,
    baggage,
    earlier,
    isTakenUp: true,
    client,
  };
}
