import type { JsonObject } from "../contract/contract.ts";
import type { BaseEvent } from "./event.ts";
import type { ToolError } from "../base/errors.ts";
import type { Tool } from "../service/tools/tool.ts";
import type { JobClient } from "./question.ts";

/** `urn:platform:job:<uuid>`, the form in which authors and callers see a job id. */
export type JobUrn = `urn:platform:job:${string}`;

export type JobState = "pending" | "executing" | "succeeded" | "failed" | "error" | "cancelled";

/** An encoded result, ready for any front. `json` is the wire text; a stream can be read once. */
export type JobResult =
  | { readonly kind: "json"; readonly json: string }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "binary";
      readonly contentType: string;
      readonly content: Uint8Array | string | ReadableStream<Uint8Array>;
    };

export type JobOutcome =
  | { readonly state: "succeeded"; readonly result: JobResult }
  /** `failed`: the caller's mistake (`user-input`, `validation`). `error`: ours or the author's. */
  | { readonly state: "failed" | "error" | "cancelled"; readonly error: ToolError };

/** Who called, as a checked access token says. Never the token itself. */
export interface JobCaller {
  /** `sub`: the user, or the client where it calls for itself. Absent where the token names the client alone. */
  readonly subject?: string | undefined;
  /** `client_id` or `azp`: the application that the token was given to. */
  readonly client?: string | undefined;
  readonly scopes: readonly string[];
  /** Everything that the token says: `iss`, `sub`, `aud` and what the authorisation server adds. Read-only. */
  readonly claims: JsonObject;
}

/** How the platform knows a run of a job; goes along with everything that is sent about it. */
export interface PlatformAttempt {
  /** The id as the sidecar gave it. */
  readonly id: string;
  /** `Job-Attempt` and `Job-Lease`; empty for a sidecar without leases. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the platform gives with a job: its token, and how it knows this run. */
export type PlatformGrant = Pick<Submission, "authorization" | "attempt">;

/** A call as a front hands it over. One object literal with every key, `undefined` or not, is the fastest to make. */
export interface Submission {
  readonly tool: Tool;
  /** Parsed JSON, not validated. */
  readonly input: unknown;
  /** Id given by the caller, bare or URN, already checked to be a plain id. Without it one is made. */
  readonly id?: JobUrn | undefined;
  /** Digest of tool and body with the caller's `Idempotency-Key`. */
  readonly idempotency?: { readonly key: string; readonly digest: string } | undefined;
  /** Becomes `jobAuthorization`, verbatim. Only the platform's own channel may give it. */
  readonly authorization?: string | undefined;
  /** Who calls, when callers are authenticated: a job belongs to its caller. */
  readonly owner?: string | undefined;
  /** The same as the tool sees it. */
  readonly caller?: JobCaller | undefined;
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  /** The platform gave the job and keeps it, so that our own store never sees it. */
  readonly attempt?: PlatformAttempt | undefined;
  /** Who can be asked while the job runs. */
  readonly client?: JobClient | undefined;
  /** What an earlier attempt of the job has said: the numbers of this one's events go on from there. */
  readonly earlier?: readonly JobEvent[] | undefined;
  /** More than one reader wants the result: a stream is collected. */
  readonly repeatable?: boolean | undefined;
}

/** What a job said, with its place in the job's sequence. */
export interface JobEvent {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** RFC 3339. */
  readonly timestamp: string;
  /** The author's object; absent when the event was read from a store. */
  readonly event?: BaseEvent;
  /** The event as the platform and the log get it: `$schema`, fields, `timestamp`, `sequence`. */
  readonly body: JsonObject;
  /** The same for callers: without stack traces, and without the text of an error that is not theirs. */
  readonly publicBody: JsonObject;
}

/** A job that this process runs, or has just finished. */
export interface Job {
  readonly id: JobUrn;
  readonly tool: Tool;
  readonly state: JobState;
  /** Set once the job has ended. */
  readonly outcome: JobOutcome | undefined;
  /** Never rejects. */
  readonly done: Promise<JobOutcome>;
  /** Calls `listener` once when the job ends; at once, before this returns, when it has ended. Cheaper than `done`. */
  onEnd(listener: (outcome: JobOutcome) => void): void;
  /** Calls `listener` for every event so far and to come; returns its stop. */
  onEvent(listener: (event: JobEvent) => void): () => void;
  /** Gives its place to others and stops its clock while it waits for an answer; `resume` takes them back. */
  suspend?(): void;
  resume?(): void;
  /**
   * The platform has given the job again: from now on everything about it is sent under that grant, and what it has said
   * so far goes out once more, since an attempt counts its events from 1 and those of an earlier one may be lost.
   */
  moveTo?(grant: PlatformGrant): void;
  /** Aborts `job.signal`; the job ends as `cancelled`. Nothing happens when it has ended. */
  cancel(reason: string): void;
}
