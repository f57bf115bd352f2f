import type { BaseEvent } from "../../job/event.ts";
import { ToolError } from "../../base/errors.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import type { JobSpan } from "../../job/job-span.ts";
import type { LoadModelCalls } from "../../job/model-call.ts";
import { formatTraceparent, parseTraceContext } from "../../job/trace-context.ts";
import type { TraceContext } from "../../job/trace-context.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { currentJob } from "../../job/current-job.ts";
import type { CurrentJob } from "../../job/current-job.ts";
import type { Parking } from "../../job/steps/kept-step.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { EndListeners } from "./end-listeners.ts";
import { JobClock } from "./job-clock.ts";
import { JobEvents } from "./job-events.ts";
import { levelWeights } from "../../telemetry/log/log-record.ts";
import { logState } from "../../telemetry/log/log-state.ts";
import { logJob } from "./log-job.ts";
import type { JobHost, JobLane } from "./job-host.ts";
import type { JobClient, OpenQuestions } from "../../job/question.ts";
import type { Job, JobCaller, JobEvent, JobOutcome, JobState, JobUrn } from "../../job/job.ts";
import type { PlatformAttempt, PlatformGrant, Submission } from "../../job/job.ts";
import type { WaitsFor } from "../../job/steps/waits-for.ts";

/** Opens a book for a job that nothing stores: it keeps its steps while it runs. */
async function memoryBook(): Promise<StepBook> {
  return (await import("../../job/steps/memory-book.ts")).createMemoryBook();
}

/** A job of this process, from its submission to its end. Rarely used parts are created on demand. */
export class RunningJob implements Job, CurrentJob {
  id: JobUrn;
  readonly tool: Tool;
  readonly lane: JobLane<RunningJob>;
  state: JobState = "pending";
  /**
   * The outcome that callers see. Unset until a durable store has it, so that a crash and rerun cannot show them a
   * different one.
   */
  outcome: JobOutcome | undefined;
  /** The outcome in this process. */
  ending: JobOutcome | undefined;
  context: object | undefined;
  /** Created when the job begins, if there is an observer. */
  span: JobSpan | undefined;
  // Declared only: without telemetry every job would have two fields more.
  declare modelCalls?: LoadModelCalls;
  declare observedFrom?: number;
  /** The stored job that this one waits for. */
  declare known?: Job;
  /** Set when the job leaves the process, to be woken by the store. */
  declare parking?: Parking;
  /** Called when the job has ended here, before its end is stored; also when it has left. */
  declare onLeft?: () => void;
  #book: Promise<StepBook> | undefined;
  /** True when it has kept something, so that another attempt can go on. */
  hasKept = false;
  /** The questions that a store has; set for a kept job with a client. */
  declare openQuestions?: () => OpenQuestions | undefined;
  /** True when a store has the job, so that its answer must be repeatable. */
  kept = false;
  /** True while it holds a slot of its lane. */
  began = false;
  /** True while it waits for its client, without a slot. */
  suspended = false;
  /** True when another object has the same stored job, or another process runs it: this one waits for its end. */
  isStandIn = false;
  /** Called when the job goes on under another grant; a thread that runs it must know. */
  moved: (() => void) | undefined;
  /** Neighbours among all jobs of its executor. */
  older: RunningJob | undefined;
  newer: RunningJob | undefined;
  readonly #host: JobHost<RunningJob>;
  readonly #submission: Submission;
  /** The current grant: the platform may have given the job again. */
  #grant: PlatformGrant;
  #controller: AbortController | undefined;
  /** Set for a tool with a timeout. */
  #clock: JobClock | undefined;
  readonly #onEnd = new EndListeners();
  #done: Promise<JobOutcome> | undefined;
  #onHeard: (() => void) | undefined;
  #events: JobEvents | undefined;
  #trace: TraceContext | undefined;

  constructor(id: JobUrn, submission: Submission, lane: JobLane<RunningJob>, host: JobHost<RunningJob>) {
    this.id = id;
    this.lane = lane;
    this.tool = submission.tool;
    this.#submission = submission;
    this.#grant = submission;
    this.#host = host;
  }

  get input(): unknown {
    return this.#submission.input;
  }

  get authorization(): string | undefined {
    return this.#grant.authorization;
  }

  get owner(): string | undefined {
    return this.#submission.owner;
  }

  get caller(): JobCaller | undefined {
    return this.#submission.caller;
  }

  get traceparent(): string | undefined {
    if (this.span === undefined) return this.#caller && formatTraceparent(this.#caller);
    return this.span.traceparent;
  }

  get tracestate(): string | undefined {
    return this.span === undefined ? this.#caller?.tracestate : this.span.tracestate;
  }

  get baggage(): string | undefined {
    return this.span === undefined ? this.#submission.baggage : this.span.baggage;
  }

  get attempt(): PlatformAttempt | undefined {
    return this.#grant.attempt;
  }

  get platformSettings(): PlatformSettings | undefined {
    return this.#host.platform;
  }

  get client(): JobClient | undefined {
    return this.#submission.client;
  }

  get questions(): OpenQuestions | undefined {
    return this.openQuestions?.();
  }

  get waitsFor(): WaitsFor | undefined {
    return this.known?.waitsFor;
  }

  get submission(): Submission {
    return this.#submission;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.ending !== undefined && this.ending.state !== "succeeded") this.#controller.abort(this.ending.error);
    }
    return this.#controller.signal;
  }

  get events(): JobEvents {
    return (this.#events ??= new JobEvents(this, this.#host.sinks, this.#submission.earlier));
  }

  get done(): Promise<JobOutcome> {
    return (this.#done ??= new Promise((resolve) => this.onEnd(resolve)));
  }

  onEnd(listener: (outcome: JobOutcome) => void): void {
    if (this.outcome !== undefined) listener(this.outcome);
    else this.#onEnd.add(listener);
    this.#onHeard?.();
  }

  /** A bound function, so that it can be passed on. */
  get emit(): (event: BaseEvent, internal?: boolean) => void {
    return (event, internal) => {
      if (this.ending === undefined) this.events.add(event, internal === true);
    };
  }

  /** Resolves once somebody waits for its end, or listens to its events. */
  get heard(): Promise<void> {
    return new Promise((resolve) => (this.#onEnd.isEmpty ? (this.#onHeard = resolve) : resolve()));
  }

  onEvent(listener: (event: JobEvent) => void): () => void {
    const stop = this.events.follow(listener);
    if (this.outcome !== undefined) this.#events?.close();
    this.#onHeard?.();
    return stop;
  }

  moveTo(grant: PlatformGrant): void {
    this.#grant = grant;
    this.events.tellSinksAgain();
    this.moved?.();
  }

  /** Waits for a stored job with the same name instead of running; callers see that one's id. */
  standInFor(known: Job): void {
    this.known = known;
    this.id = known.id;
    this.isStandIn = true;
    known.onEnd((outcome) => this.end(outcome));
  }

  cancel(reason: string): void {
    this.end({ state: "cancelled", error: new ToolError("cancelled", reason) });
  }

  /**
   * Asks the job to stop by aborting `signal`; its own outcome still counts. A job that waits, or has no signal, ends
   * now.
   */
  interrupt(error: ToolError): void {
    if (this.ending !== undefined) return;
    if (this.#controller === undefined || !this.began) this.end({ state: "error", error });
    else this.#abort(error);
  }

  /** The book of what the job keeps, opened once. */
  book(): Promise<StepBook> {
    return (this.#book ??= this.#host.book?.(this) ?? memoryBook());
  }

  stop(error: ToolError): void {
    this.end({ state: "error", error });
  }

  /** Leaves the process without an end: the store wakes the job, and another object runs it then. */
  leave(parking: Parking): void {
    if (this.ending !== undefined) return;
    this.parking = parking;
    this.end({ state: "error", error: new ToolError("draining", "The job waits outside of its process.") });
  }

  /** Marks the job as executing and starts the clock of `@timeout`. */
  begin(): void {
    this.state = "executing";
    this.began = true;
    this.span = this.#host.observer?.began(this);
    if (logState().minimum <= levelWeights.DEBUG) logJob(this);
    const { timeout } = this.tool.definition;
    if (timeout === undefined) return;
    this.#clock = new JobClock(timeout, (error) => {
      this.#inside(() => getLogger("tenon").warn({ seconds: timeout / 1000 }, "job timed out"));
      this.end({ state: "error", error });
    });
  }

  suspend(): void {
    if (this.suspended || !this.began || this.ending !== undefined) return;
    this.suspended = true;
    this.#clock?.pause();
    this.lane.release();
  }

  resume(): void {
    if (!this.suspended || this.ending !== undefined) return;
    this.suspended = false;
    this.lane.retake();
    this.#clock?.start();
  }

  /** Ends the job; the first outcome counts. Any outcome but success aborts `signal`. */
  end(outcome: JobOutcome): void {
    if (this.ending !== undefined) return;
    if (outcome.state !== "succeeded") this.#events?.failOpenSteps(outcome.error.message);
    this.ending = outcome;
    this.#clock?.stop();
    const written = this.#host.ended(this, outcome);
    this.onLeft?.();
    if (outcome.state !== "succeeded") this.#abort(outcome.error);
    if (written instanceof Promise) void written.then((recorded) => this.#tell(recorded));
    else this.#tell(outcome);
  }

  /** Listeners of `signal` belong to the job, whoever stops it. */
  #abort(error: ToolError): void {
    const controller = this.#controller;
    if (controller !== undefined && !controller.signal.aborted) this.#inside(() => controller.abort(error));
  }

  /** Calls a function as the tool's own code is called: with the job, and within its span. */
  #inside(callback: () => void): void {
    const { span } = this;
    if (span === undefined) currentJob.run(this, callback);
    else span.run(() => currentJob.run(this, callback));
  }

  #tell(outcome: JobOutcome): void {
    this.outcome = outcome;
    this.state = outcome.state;
    this.#events?.close();
    this.#host.told?.(this);
    this.#onEnd.tell(outcome);
  }

  /** The caller's trace context; an invalid one is ignored. */
  get #caller(): TraceContext | undefined {
    const { traceparent, tracestate } = this.#submission;
    return traceparent === undefined ? undefined : (this.#trace ??= parseTraceContext(traceparent, tracestate));
  }
}
