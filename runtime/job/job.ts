import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../contract/contract.ts";
import type { BaseEvent } from "./event.ts";
import type { ToolError } from "../base/errors.ts";
import type { Tool } from "../service/tools/tool.ts";
import type { JobClient, OpenQuestions } from "./question.ts";
import type { Parking } from "./steps/kept-step.ts";
import type { WaitsFor } from "./steps/waits-for.ts";

/** `urn:platform:job:<uuid>`, the form in which authors and callers see a job id. */
export type JobUrn = `urn:platform:job:${string}`;

export type JobState = "pending" | "executing" | "succeeded" | "failed" | "error" | "cancelled";

/**
 * An encoded result, in a form that every protocol (REST, MCP, batch) can send. `json` is JSON text; a stream can be
 * read only once.
 */
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
  /** `failed`: a mistake of the caller (`user-input`, `validation`). `error`: a failure of the tool or the service. */
  | { readonly state: "failed" | "error" | "cancelled"; readonly error: ToolError };

/** The caller, as identified by a verified access token. Never the token itself. */
export interface JobCaller {
  /** `sub`: the user, or the client if it acts for itself. Absent if the token names only the client. */
  readonly subject?: string | undefined;
  /** `client_id` or `azp`: the application that the token was given to. */
  readonly client?: string | undefined;
  readonly scopes: readonly string[];
  /** All claims of the token: `iss`, `sub`, `aud` and what the authorisation server adds. Read-only. */
  readonly claims: JsonObject;
}

/** The platform's identification of a run of a job; sent with all requests about that run. */
export interface PlatformAttempt {
  /** The id from the sidecar. */
  readonly id: string;
  /** `Job-Attempt` and `Job-Lease`; empty for a sidecar without leases. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The platform's token for a job, and its identification of this run. */
export type PlatformGrant = Pick<Submission, "authorization" | "attempt">;

/**
 * A call, as every protocol (REST, MCP, batch) submits it to the executor. One object literal with every key,
 * `undefined` or not, is the fastest to create.
 */
export interface Submission {
  readonly tool: Tool;
  /** Parsed JSON, not validated. */
  readonly input: unknown;
  /** Id from the caller, bare or URN, already checked to be a plain id. Default: a new id. */
  readonly id?: JobUrn | undefined;
  /** Digest of tool and body with the caller's `Idempotency-Key`. */
  readonly idempotency?: { readonly key: string; readonly digest: string } | undefined;
  /** Token that becomes `jobAuthorization`, verbatim. Only the platform's own channel may set it. */
  readonly authorization?: string | undefined;
  /** Identity of an authenticated caller; a job belongs to its caller. */
  readonly owner?: string | undefined;
  /** The caller in the form that tools see. */
  readonly caller?: JobCaller | undefined;
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
  /** The request over HTTP that the job answers; set where telemetry makes a span of the job. */
  readonly http?: HttpCall | undefined;
  /** Set when the platform gave the job and stores it; the executor's own store then ignores the job. */
  readonly attempt?: PlatformAttempt | undefined;
  /** The waiting client, which can be asked questions while the job runs. */
  readonly client?: JobClient | undefined;
  /** Events of earlier attempts of the job. The event numbers of this attempt continue after them. */
  readonly earlier?: readonly JobEvent[] | undefined;
  /**
   * True for a job that was taken from a store: its original call has been answered already, or the process that ran
   * the job was lost.
   */
  readonly isTakenUp?: boolean | undefined;
  /** True if the result has several readers, so that a stream must be collected. */
  readonly repeatable?: boolean | undefined;
}

/** An event of a job, with its number in the job's sequence. */
export interface JobEvent {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** RFC 3339. */
  readonly timestamp: string;
  /** The author's object; absent when the event was read from a store. */
  readonly event?: BaseEvent;
  /** Body of the event for the platform and the log: `$schema`, fields, `timestamp`, `sequence`. */
  readonly body: JsonObject;
  /** The event for callers: without stack traces, and without the text of internal errors. */
  readonly publicBody: JsonObject;
}

/** A job that this process runs or has just finished. */
export interface Job {
  readonly id: JobUrn;
  readonly tool: Tool;
  readonly state: JobState;
  /** Set once the job has ended. */
  readonly outcome: JobOutcome | undefined;
  /** Milliseconds since 1970; set for an ended job that was read from a store. */
  readonly endedAt?: number | undefined;
  /** Open questions of a stored job to its client, which any process can answer; undefined when there are none. */
  readonly questions?: OpenQuestions | undefined;
  /** Set while a stored job is parked, or waits for its turn. */
  readonly waitsFor?: WaitsFor | undefined;
  /**
   * Set when the job has left this process without an outcome: another attempt continues it at that time, or after a
   * message.
   */
  readonly parking?: Parking;
  /** Resolves to the outcome when the job has ended. Never rejects. */
  readonly done: Promise<JobOutcome>;
  /** Calls `listener` once when the job ends, or immediately if it has ended. Cheaper than `done`. */
  onEnd(listener: (outcome: JobOutcome) => void): void;
  /** Removes a listener of `onEnd`, whose caller has stopped waiting: the job may go on for days. */
  offEnd(listener: (outcome: JobOutcome) => void): void;
  /** Calls `listener` for all past and future events. Returns a function that unsubscribes. */
  onEvent(listener: (event: JobEvent) => void): () => void;
  /** Releases the job's slot and stops its timeout while it waits for an answer; `resume` takes both back. */
  suspend?(): void;
  resume?(): void;
  /**
   * Gives the job a new token and attempt, when the platform has handed it out again. Further requests about the job
   * use these. All events so far are sent again, since an attempt numbers its events from 1 and those of an earlier
   * attempt may be lost.
   */
  moveTo?(grant: PlatformGrant): void;
  /** Aborts `job.signal`; the job ends as `cancelled`. Does nothing after the job has ended. */
  cancel(reason: string): void;
}

/** An HTTP request that a job answers, and the response to it, in the form of Node's `ServerResponse`. */
export interface HttpCall {
  readonly req: {
    readonly method?: string | undefined;
    /** Path with the query. */
    readonly url?: string | undefined;
    readonly headers: IncomingHttpHeaders;
    /** Version such as `1.1`; unknown if the host does not provide it. */
    readonly httpVersion?: string | undefined;
  };
  /** True before the job ends if the call was answered with "try later". */
  readonly headersSent: boolean;
  readonly statusCode: number;
}
