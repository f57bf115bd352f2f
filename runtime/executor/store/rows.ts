import type { JsonObject } from "../../contract/contract.ts";
import type { ErrorKind } from "../../base/errors.ts";
import { jobUrnPrefix } from "../../job/job-id.ts";
import type { JobCaller, JobState, JobUrn } from "../../job/job.ts";
import type { Waiting } from "../../job/steps/kept-step.ts";
import type { Reply, Talk } from "../../job/question.ts";
import type { DeadLetter } from "./dead-letters.ts";
import { inLineOf } from "./in-line.ts";
import type { Claim, JobRecord, NewJob, StoredEvent, StoredOutcome } from "./job-store.ts";
import { phase } from "./phase.ts";
import { never } from "./shared-rules.ts";

/** Kind of a result. For an error, `content` is the error's JSON, and its state is in `content_type`. */
type ResultKind = "json" | "text" | "binary";

export interface OutcomeColumns {
  /** A kind of result, or an unsuccessful state. */
  readonly outcome: ResultKind | "failed" | "error" | "cancelled";
  readonly content_type: string | null;
  /** Texts are stored as JSON, which escapes NUL: some programs read SQLite texts only up to the first NUL. */
  readonly content: string | Uint8Array;
}

export interface RecordRow {
  readonly seq: number;
  readonly id: string;
  readonly phase: number;
  readonly due: number;
  readonly expires: number | null;
  readonly ended: number | null;
  readonly attempt: number;
  readonly tool: string;
  readonly owner: string | null;
  readonly idempotency_digest: string | null;
  readonly traceparent: string | null;
  /** The columns of the outcome are null together until the job has ended. */
  readonly outcome: OutcomeColumns["outcome"] | null;
  readonly content_type: string | null;
  readonly content: string | Uint8Array | null;
  readonly talk: string | null;
  /** Names of the messages that a parked job waits for, one a line; empty when it only waits for a time. */
  readonly waits: string | null;
  /** A list of replies as JSON on each line. */
  readonly replies: string | null;
  readonly limit_key: string | null;
  /** Number of jobs of the same key before a held job. */
  readonly ahead?: number | null;
  /** Time at which a rate lets the job start, in milliseconds since 1970. */
  readonly start?: number | null;
}

/**
 * A claimable job as a list of its columns, in this order: an object with so many members takes twice as long to read.
 */
export type ClaimRow = readonly [
  seq: number,
  attempt: number,
  id: string,
  tool: string,
  owner: string | null,
  key: string | null,
  digest: string | null,
  ttl: number,
  maxAttempts: number,
  traceparent: string | null,
  tracestate: string | null,
  baggage: string | null,
  caller: string | null,
  input: string | null,
  talk: string | null,
];

/** The columns of {@link ClaimRow}. */
export const claimColumns =
  "seq, attempt, id, tool, owner, idempotency_key, idempotency_digest, ttl, max_attempts, traceparent, tracestate, " +
  "baggage, caller, input, talk";

export interface DeadLetterRow {
  readonly id: string;
  readonly tool: string;
  readonly owner: string | null;
  readonly attempt: number;
  readonly ended: number;
  readonly detail: string | null;
  readonly content: string | Uint8Array;
}

export interface EventRow {
  readonly sequence: number;
  readonly body: string;
}

type StoredError = Exclude<StoredOutcome, { readonly state: "succeeded" }>["error"];

/** The id as it is stored, without the common prefix. */
export function keyOf(id: JobUrn): string {
  return id.slice(jobUrnPrefix.length);
}

/** The bytes are copied, since the caller may change them before they are committed. */
export function toColumns(outcome: StoredOutcome): OutcomeColumns {
  if (outcome.state !== "succeeded") {
    return { outcome: outcome.state, content_type: null, content: JSON.stringify(outcome.error) };
  }
  const { result } = outcome;
  switch (result.kind) {
    case "json":
      return { outcome: "json", content_type: null, content: result.json };
    case "text":
      return { outcome: "text", content_type: null, content: Buffer.from(result.text) };
    case "binary":
      return { outcome: "binary", content_type: result.contentType, content: Buffer.from(result.content) };
  }
}

function toOutcome({ outcome, content_type: contentType, content }: OutcomeColumns): StoredOutcome {
  switch (outcome) {
    case "json":
      return { state: "succeeded", result: { kind: "json", json: textOf(content) } };
    case "text":
      return { state: "succeeded", result: { kind: "text", text: textOf(content) } };
    case "binary":
      return {
        state: "succeeded",
        result: { kind: "binary", contentType: contentType ?? "", content: bytesOf(content) },
      };
    default:
      return { state: outcome, error: JSON.parse(textOf(content)) as StoredError };
  }
}

/** The text in a column, which may be stored as text or as bytes. */
export function textOf(content: string | Uint8Array): string {
  return typeof content === "string" ? content : bytesOf(content).toString();
}

function bytesOf(content: string | Uint8Array): Buffer {
  if (typeof content === "string") return Buffer.from(content);
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

/** The outcome in a row; undefined until the job has ended. */
export function outcomeOf({
  outcome,
  content_type,
  content,
}: Pick<RecordRow, keyof OutcomeColumns>): StoredOutcome | undefined {
  return outcome === null || content === null ? undefined : toOutcome({ outcome, content_type, content });
}

/** Converts a row and the rows of its events into a record. */
export function toRecord(row: RecordRow, events: readonly EventRow[]): JobRecord {
  const stored = outcomeOf(row);
  return {
    id: urnOf(row.id),
    tool: row.tool,
    state: stored?.state ?? stateOf(row.phase),
    ...(row.owner === null ? {} : { owner: row.owner }),
    attempt: row.attempt,
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    ...(stored === undefined ? {} : { outcome: stored, ...(row.ended !== null && { endedAt: row.ended }) }),
    events: events.map(toEvent),
    ...(row.talk !== null && { talk: JSON.parse(row.talk) as Talk }),
    ...(row.replies !== null && { replies: openReplies(row.replies) }),
    ...(row.limit_key !== null &&
      row.phase === phase.held && {
        waiting: inLineOf(row.limit_key, row.ahead ?? 0, row.start ?? undefined),
      }),
    ...(row.waits !== null && row.phase === phase.delayed && { waiting: toWaiting(row.waits, row.due) }),
  };
}

function openReplies(lines: string): readonly Reply[] {
  return lines.split("\n").flatMap((line) => JSON.parse(line) as readonly Reply[]);
}

function toWaiting(waits: string, due: number): Waiting {
  return { waits: waits === "" ? [] : waits.split("\n"), ...(due < never && { until: due }) };
}

/** Converts a row into the claim of the job's next attempt. */
export function toClaim(row: ClaimRow, token: string, lastSequence: number): Claim {
  const [
    ,
    attempt,
    key,
    tool,
    owner,
    idempotencyKey,
    digest,
    ttl,
    maxAttempts,
    traceparent,
    tracestate,
    baggage,
    caller,
    input,
    talk,
  ] = row;
  const id = urnOf(key);
  const job: NewJob = {
    id,
    tool,
    ttl,
    maxAttempts,
    input: input === null ? undefined : (JSON.parse(input) as unknown),
    ...(owner !== null && { owner }),
    ...(caller !== null && { caller: JSON.parse(caller) as JobCaller }),
    ...(idempotencyKey !== null && digest !== null && { idempotency: { key: idempotencyKey, digest } }),
    ...(traceparent !== null && { traceparent }),
    ...(tracestate !== null && { tracestate }),
    ...(baggage !== null && { baggage }),
    ...(talk !== null && { talk: JSON.parse(talk) as Talk }),
  };
  return { lease: { id, attempt: attempt + 1, token }, job, lastSequence };
}

/** Converts a row into a dead letter. */
export function toDeadLetter(row: DeadLetterRow): DeadLetter {
  const { kind, message } = JSON.parse(textOf(row.content)) as { kind: ErrorKind; message: string };
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

function toEvent({ sequence, body }: EventRow): StoredEvent {
  return { sequence, body: JSON.parse(body) as JsonObject };
}

/** The state of a job that has not ended. */
export function stateOf(value: number): JobState {
  return value === phase.executing ? "executing" : "pending";
}

/** The URN of a stored key, the inverse of {@link keyOf}. */
export function urnOf(key: string): JobUrn {
  return `${jobUrnPrefix}${key}`;
}
