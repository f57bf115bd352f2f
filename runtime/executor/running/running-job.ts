import type { BaseEvent } from "../../job/event.ts";
import { ToolError } from "../../base/errors.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import type { JobSpan, LoadModelCalls } from "../../job/job-span.ts";
import { formatTraceparent, parseTraceContext, type TraceContext } from "../../job/trace-context.ts";
import type { JobTurn } from "../../job/limits/job-limit.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { currentJob, type CurrentJob } from "../../job/current-job.ts";
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
// oxfmt-ignore
import type {
  Job, JobCaller, JobEvent, JobOutcome, JobState, JobUrn, PlatformAttempt, PlatformGrant, Submission,
} from "../../job/job.ts";
import type { WaitsFor } from "../../job/steps/waits-for.ts";

/** Opens a step record for a job that is not stored: it keeps the steps in memory while the job runs. */
async function memoryBook(): Promise<StepBook> {
  return (await import("../../job/steps/memory-book.ts")).createMemoryBook();
}

/** A job of this process, from its submission to its end. Rarely used parts are created on demand. */
export class RunningJob implements Job, CurrentJob {
  id: JobUrn;
  readonly tool: Tool;
  readonly lane: JobLane<RunningJob>;
  /**
   * The outcome that callers get. Unset until a durable store has stored it: after a crash and a new run, callers must
   * not get a different outcome.
   */
  outcome: JobOutcome | undefined;
  /** The outcome in this process, which may not be stored yet. */
  ending: JobOutcome | undefined;
  context: object | undefined;
  /** Created when the job begins, if there is an observer. */
  span: JobSpan | undefined;
  // Declared without a value: otherwise every job would have two more fields, even without telemetry.
  declare modelCalls?: LoadModelCalls;
  declare observedFrom?: number;
  /** The stored job that another object or another process runs, while this object only waits for its end. */
  declare known?: Job;
  /** Set once the limit of the job has been read; see `turnOf`. */
  declare turn?: JobTurn;
  /** Set when the job leaves the process and the store has to wake it. */
  declare parking?: Parking;
  /** Called when the job has ended here, before its outcome is stored, or when it has left the process. */
  declare onLeft?: () => void;
  /** True from the end of a failed run until the next one begins, or the job ends. */
  declare awaitsRetry?: boolean;
  #book: Promise<StepBook> | undefined;
  /** True when the job has stored a step, so that another attempt can continue. */
  hasKept = false;
  /** The stored questions of the job; set for a stored job with a client. */
  declare openQuestions?: () => OpenQuestions | undefined;
  /** True when a caller has got an answer by which it can ask for the job later. */
  declare isPromised?: boolean;
  /** True when the job is in a store, so that its answer can be requested again. */
  kept = false;
  /** True while the job holds a slot of its tool's queue. */
  began = false;
  /** True while the job waits for its client, without a slot. */
  suspended = false;
  /** Called when the job continues under a new token and attempt, so that a thread which runs the job gets these. */
  moved: (() => void) | undefined;
  /** Bytes for which the job is counted as unfinished. */
  bytes = 0;
  /** True while the author's function runs, which may go on after the end of its job. */
  isCalled = false;
  /** Neighbours in the list of all jobs of the executor. */
  older: RunningJob | undefined;
  newer: RunningJob | undefined;
  readonly #host: JobHost<RunningJob>;
  #submission: Submission;
  /** Token and attempt of the job, once the platform has handed the job out again. */
  #grant: PlatformGrant | undefined;
  #controller: AbortController | undefined;
  /** Set for a tool with a timeout. */
  clock: JobClock | undefined;
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
    this.#host = host;
  }

  get state(): JobState {
    return this.outcome?.state ?? this.known?.state ?? (this.began ? "executing" : "pending");
  }

  get input(): unknown {
    return this.#submission.input;
  }

  get authorization(): string | undefined {
    return (this.#grant ?? this.#submission).authorization;
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
    return (this.#grant ?? this.#submission).attempt;
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

  offEnd(listener: (outcome: JobOutcome) => void): void {
    this.#onEnd.remove(listener);
  }

  /** Function that reports an event; bound, so that it can be passed on. */
  get emit(): (event: BaseEvent, internal?: boolean) => void {
    return (event, internal) => {
      if (this.ending === undefined) this.events.add(event, internal === true);
    };
  }

  /** Resolves once somebody waits for the job's end, or listens to its events. */
  get heard(): Promise<void> {
    return new Promise((resolve) => (this.#onEnd.isEmpty ? (this.#onHeard = resolve) : resolve()));
  }

  onEvent(listener: (event: JobEvent) => void): () => void {
    const { known } = this;
    if (known !== undefined && this.outcome === undefined) return known.onEvent(listener);
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

  /** Waits for a stored job with the same name instead of running; callers see the id of the stored job. */
  standInFor(known: Job): void {
    this.known = known;
    // Callers may wait here for days.
    this.#dropRequest();
    this.id = known.id;
    // Events are followed only if somebody listens, since that costs reads of the store.
    if (this.#events?.hasListeners === true) this.onLeft = known.onEvent((event) => this.events.pass(event));
    known.onEnd((outcome) => this.end(outcome));
  }

  cancel(reason: string): void {
    if (this.parking !== undefined) this.#host.drop?.(this, reason);
    this.end({ state: "cancelled", error: new ToolError("cancelled", reason) });
  }

  /**
   * Asks the job to stop by aborting `signal`; if the job still reports an outcome, that outcome counts. A job that
   * waits for a slot, or has no signal, ends at once.
   */
  interrupt(error: ToolError): void {
    if (this.ending !== undefined) return;
    if (this.#controller === undefined || !this.began) this.end({ state: "error", error });
    else this.#abort(error);
  }

  /** Returns the record of the job's stored steps, which is opened once. */
  book(): Promise<StepBook> {
    if (this.#book !== undefined) return this.#book;
    const book = this.#host.book?.(this) ?? memoryBook();
    // A later try of the job opens it again after a failure.
    book.catch(() => (this.#book = undefined));
    return (this.#book = book);
  }

  stop(error: ToolError): void {
    this.end({ state: "error", error });
  }

  /** Leaves the process without an outcome: the store wakes the job later, and another object runs it then. */
  leave(parking: Parking): void {
    if (this.ending !== undefined) return;
    this.parking = parking;
    this.#dropRequest();
    this.end({ state: "error", error: new ToolError("draining", "The job waits outside of its process.") });
  }

  /** Marks the job as executing and starts the clock of `@timeout`. */
  begin(): void {
    this.began = true;
    this.span = this.#host.observer?.began(this);
    if (logState().minimum <= levelWeights.DEBUG) logJob(this);
    const { timeout } = this.tool.definition;
    if (timeout === undefined) return;
    this.clock = new JobClock(timeout, (error) => {
      this.#inside(() => getLogger("tenon").warn({ seconds: timeout / 1000 }, "job timed out"));
      this.end({ state: "error", error });
    });
  }

  /** Called when the author's function has ended. */
  returned(): void {
    this.isCalled = false;
    if (this.bytes > 0 && this.ending !== undefined) this.#host.returned?.(this);
  }

  idle(isIdle: boolean): void {
    this.clock?.set("waits", isIdle);
  }

  suspend(): void {
    if (this.suspended || !this.began || this.ending !== undefined) return;
    this.suspended = true;
    this.clock?.set("asks", true);
    this.lane.release();
  }

  resume(): void {
    if (!this.suspended || this.ending !== undefined) return;
    this.suspended = false;
    this.lane.retake();
    this.clock?.set("asks", false);
  }

  /** Ends the job; only the first outcome counts. Any outcome but success aborts `signal`. */
  end(outcome: JobOutcome): void {
    if (this.ending !== undefined) return;
    // Steps that a parked job has open are begun again by its next attempt.
    if (outcome.state !== "succeeded" && this.parking === undefined) this.#events?.failOpenSteps(outcome.error.message);
    this.#events?.storeAll();
    this.ending = outcome;
    this.clock?.stop();
    const written = this.#host.ended(this, outcome);
    this.onLeft?.();
    if (outcome.state !== "succeeded") this.#abort(outcome.error);
    if (written instanceof Promise) void written.then((recorded) => this.#tell(recorded));
    else this.#tell(outcome);
  }

  /** Frees the memory of the request, which the store has. */
  #dropRequest(): void {
    this.#submission = { ...this.#submission, input: undefined };
  }

  /** Aborts the signal in the job's context, since listeners of `signal` belong to the job, whoever aborts it. */
  #abort(error: ToolError): void {
    if (this.#controller?.signal.aborted === false) this.#inside(() => this.#controller?.abort(error));
  }

  /** Calls a function in the context of the job and its span, as the tool's own code is called. */
  #inside(callback: () => void): void {
    const { span } = this;
    if (span === undefined) currentJob.run(this, callback);
    else span.run(() => currentJob.run(this, callback));
  }

  #tell(outcome: JobOutcome): void {
    this.outcome = outcome;
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
