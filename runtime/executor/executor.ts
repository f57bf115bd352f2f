import type { JsonObject } from "../contract/contract.ts";
import type { EventSink } from "../job/sink.ts";
import type { PlatformSettings } from "../service/config/platform-settings.ts";
import type { JobObserver } from "../job/job-span.ts";
import type { Tool } from "../service/tools/tool.ts";
import type { Every } from "../base/every.ts";
import type { Job, JobUrn, Submission } from "../job/job.ts";
import type { MessageSender } from "../job/steps/message.ts";
import type { Message } from "./kept/send-message.ts";
import type { SharedBudget } from "./running/request-budget.ts";
import type { RunningJob } from "./running/running-job.ts";
import type { JobStore } from "./store/job-store.ts";

export interface ExecutorOptions {
  readonly tools: readonly Tool[];
  /**
   * Tools of an earlier executor of this process. They accept no new jobs, but their jobs can be found. Default none.
   */
  readonly retired?: readonly Tool[];
  readonly store: JobStore;
  readonly sinks?: readonly EventSink[];
  /** Telemetry, if enabled. */
  readonly observer?: JobObserver | undefined;
  /** Memory for the requests of unfinished jobs, which executors of one process share. */
  readonly requests?: SharedBudget;
  /** False: tools with `@thread` run in the main thread. */
  readonly threads?: false;
  /**
   * Settings of the platform for jobs. Default: no platform; artifacts and aspects are then files of a local folder.
   */
  readonly platform?: PlatformSettings;
  /** Timer for the store's periodic work; default: the clock of the process. */
  readonly every?: Every;
}

/** Runs jobs: a limit and a queue per tool, and a store for jobs that may be requested again. */
export interface Executor {
  /** Present if telemetry observes jobs. `tenon dev` replaces it. */
  observer: JobObserver | undefined;
  /**
   * Starts a job. If its id or idempotency key is known, the existing job is returned instead. Throws a `ToolError`:
   * `overloaded`, `draining`, `idempotency-conflict`. The job of a synchronous tool has ended when this returns, so
   * check `outcome` before you wait.
   */
  start(submission: Submission): Job;
  /**
   * Stores a job, so that it can be found by its id. Call this before a caller is asked to poll. Jobs with an id from
   * the caller are always stored.
   */
  keep(job: Job): Promise<void>;
  /** A stored job, running or ended; undefined when it is unknown, has expired, or belongs to another caller. */
  find(id: JobUrn, owner?: string): Promise<Job | undefined>;
  /**
   * Delivers the client's answers to the questions of a stored job, whichever process runs it. Finds the job as
   * {@link find} does; false when it does not exist. Throws a `ToolError` (`too-large`) when the answers are too large
   * to store.
   */
  answer(id: JobUrn, answers: JsonObject, owner?: string): Promise<boolean>;
  /**
   * Sends a message to a job that waits for it; false if the message was sent before. Throws a `ToolError`:
   * `not-found`, `validation`, `insufficient-scope`, `gone`, `too-large`.
   */
  send(message: Message, sender?: MessageSender): Promise<boolean>;
  /**
   * All steps that a job has stored, and all messages that it was sent, as JSON.
   *
   * @param hasValues False: without results, only with times and the beginnings of messages
   */
  history(job: Pick<Job, "id" | "outcome">, hasValues?: boolean): Promise<Buffer>;
  /**
   * Runs an ended job again, as a new one that begins with the results that the old job had stored, or only with those
   * before a given step. Throws a `ToolError`: `bad-request` for an unknown step, `gone` when no results of the job are
   * stored.
   */
  fork(old: Pick<Job, "id" | "tool">, from: string | undefined, owner?: string): Promise<Job>;
  /** Store of jobs. */
  readonly store: JobStore;
  /** The jobs of this process that have not ended; a copy. */
  readonly jobs: readonly RunningJob[];
  /** Cancels a stored job, which is found as by {@link find}; returns the job. */
  cancel(id: JobUrn, reason: string, owner?: string): Promise<Job | undefined>;
  /**
   * Resumes the jobs that an earlier process left in the store, and from then on jobs whose worker was lost. Call it
   * once, before the first `start`. Rejects when the store fails.
   */
  resume(): Promise<void>;
  /** Called when a schedule has started a job; only in `tenon dev`. */
  fired?(id: JobUrn, input: unknown): Promise<void>;
  /** True after `drain`: new jobs are refused. */
  readonly draining: boolean;
  /** Memory for the requests of its jobs. */
  readonly requests: SharedBudget;
  /** The platform that its jobs use. */
  readonly platform: PlatformSettings;
  /**
   * Shuts down: refuses new jobs, waits up to `graceMs` for running jobs, then aborts their signals and ends jobs that
   * do not stop within two seconds. Waits until all outcomes are stored. Resolves to the number of aborted jobs.
   */
  drain(graceMs: number): Promise<number>;
}
