import type { JsonObject } from "../../../contract.ts";
import type { ErrorKind } from "../../../errors.ts";
import { jobUrnPrefix } from "../../job-id.ts";
import type { JobState, JobUrn } from "../../job.ts";
import type { DeadLetter } from "../dead-letters.ts";
import type { ListedJob } from "../job-list.ts";
import type { Claim, JobRecord, NewJob, StoredEvent, StoredOutcome } from "../job-store.ts";
import { phase } from "./schema.ts";

/** What `outcome` holds for a result; for an error it is the error's JSON, and its state is in `content_type`. */
type ResultKind = "json" | "text" | "binary";

export interface OutcomeColumns {
  /** A kind of result, or a state that is no success. */
  readonly outcome: ResultKind | "failed" | "error" | "cancelled";
  readonly content_type: string | null;
  readonly content: Uint8Array;
}

export interface RecordRow {
  readonly seq: number;
  readonly id: string;
  readonly phase: number;
  readonly due: number;
  readonly expires: number | null;
  readonly attempt: number;
  readonly tool: string;
  readonly owner: string | null;
  readonly idempotency_digest: string | null;
  /** The outcome's columns are null together until the job has ended. */
  readonly outcome: OutcomeColumns["outcome"] | null;
  readonly content_type: string | null;
  readonly content: Uint8Array | null;
}

/** A job that can be claimed, before it is. */
export interface ClaimRow {
  readonly seq: number;
  readonly attempt: number;
  readonly submission: string;
}

export interface DeadLetterRow {
  readonly id: string;
  readonly tool: string;
  readonly owner: string | null;
  readonly attempt: number;
  readonly ended: number;
  readonly detail: string | null;
  readonly content: Uint8Array;
}

export interface ListRow extends Pick<RecordRow, "seq" | "id" | "phase" | "attempt" | "tool" | "outcome"> {
  readonly ended: number | null;
}

export interface EventRow {
  readonly sequence: number;
  readonly body: string;
}

type StoredError = Exclude<StoredOutcome, { readonly state: "succeeded" }>["error"];

/** The id as it stands in the table: without the prefix that all have. */
export function keyOf(id: JobUrn): string {
  return id.slice(jobUrnPrefix.length);
}

/** A copy: whoever gave the outcome may write into its bytes before they are committed. */
export function toColumns(outcome: StoredOutcome): OutcomeColumns {
  if (outcome.state !== "succeeded") {
    return { outcome: outcome.state, content_type: null, content: Buffer.from(JSON.stringify(outcome.error)) };
  }
  const { result } = outcome;
  // As bytes, since text in SQLite is read up to its first NUL by some.
  switch (result.kind) {
    case "json":
      return { outcome: "json", content_type: null, content: Buffer.from(result.json) };
    case "text":
      return { outcome: "text", content_type: null, content: Buffer.from(result.text) };
    case "binary":
      return { outcome: "binary", content_type: result.contentType, content: Buffer.from(result.content) };
  }
}

function toOutcome({ outcome, content_type: contentType, content }: OutcomeColumns): StoredOutcome {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  switch (outcome) {
    case "json":
      return { state: "succeeded", result: { kind: "json", json: bytes.toString() } };
    case "text":
      return { state: "succeeded", result: { kind: "text", text: bytes.toString() } };
    case "binary":
      return { state: "succeeded", result: { kind: "binary", contentType: contentType ?? "", content: bytes } };
    default:
      return { state: outcome, error: JSON.parse(bytes.toString()) as StoredError };
  }
}

/** The outcome in a row; undefined until the job has ended. */
export function outcomeOf({ outcome, content_type, content }: RecordRow): StoredOutcome | undefined {
  return outcome === null || content === null ? undefined : toOutcome({ outcome, content_type, content });
}

export function toRecord(row: RecordRow, events: readonly EventRow[]): JobRecord {
  const stored = outcomeOf(row);
  return {
    id: urnOf(row.id),
    tool: row.tool,
    state: stored?.state ?? stateOf(row.phase),
    ...(row.owner === null ? {} : { owner: row.owner }),
    attempt: row.attempt,
    ...(stored === undefined ? {} : { outcome: stored }),
    events: events.map(toEvent),
  };
}

/** The next attempt of a job. */
export function toClaim({ attempt, submission }: ClaimRow, token: string, lastSequence: number): Claim {
  const job = JSON.parse(submission) as NewJob;
  return { lease: { id: job.id, attempt: attempt + 1, token }, job, lastSequence };
}

export function toDeadLetter(row: DeadLetterRow): DeadLetter {
  const { kind, message } = JSON.parse(Buffer.from(row.content).toString()) as { kind: ErrorKind; message: string };
  return {
    id: urnOf(row.id),
    tool: row.tool,
    ...(row.owner === null ? {} : { owner: row.owner }),
    attempt: row.attempt,
    endedAt: row.ended,
    error: { kind, message },
    ...(row.detail === null ? {} : { detail: row.detail }),
  };
}

export function toListedJob({ seq, id, phase: at, attempt, tool, ended, outcome }: ListRow): ListedJob {
  const isResult = outcome === "json" || outcome === "text" || outcome === "binary";
  return {
    ...{ seq, id: urnOf(id), tool, attempt, isDead: at === phase.dead },
    state: outcome === null ? stateOf(at) : isResult ? "succeeded" : outcome,
    ...(ended === null ? {} : { endedAt: ended }),
  };
}

function toEvent({ sequence, body }: EventRow): StoredEvent {
  return { sequence, body: JSON.parse(body) as JsonObject };
}

function stateOf(value: number): JobState {
  return value === phase.executing ? "executing" : "pending";
}

function urnOf(key: string): JobUrn {
  return `${jobUrnPrefix}${key}`;
}
