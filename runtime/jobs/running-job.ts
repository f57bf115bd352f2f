import type { BaseEvent } from "../events/event.ts";
import type { EventSink } from "../events/sink.ts";
import { ToolError } from "../errors.ts";
import type { PlatformSettings } from "../platform/platform-settings.ts";
import type { JobObserver, JobSpan } from "../telemetry/job-span.ts";
import { formatTraceparent, parseTraceContext } from "../telemetry/trace-context.ts";
import type { TraceContext } from "../telemetry/trace-context.ts";
import type { Tool } from "../tool.ts";
import type { CurrentJob } from "./current-job.ts";
import { JobEvents } from "./job-events.ts";
import type { JobClient } from "./question.ts";
import type { Job, JobEvent, JobOutcome, JobState, JobUrn } from "./job.ts";
import type { PlatformAttempt, PlatformGrant, Submission } from "./job.ts";

/** The queue that a job stands in. */
export interface JobLane {
  /** A job that held a place has ended, or waits for its client. */
  release(): void;
  /** A job that had waited for its client goes on at once, also where no place is free: it has begun already. */
  retake(): void;
  /** A job that waited will not run. */
  remove(job: RunningJob): void;
}

/** What a running job needs of its executor. */
export interface JobHost {
  readonly sinks: readonly EventSink[];
  readonly observer: JobObserver | undefined;
  readonly platform?: PlatformSettings;
  /**
   * The job has ended, by itself or not; called once. Where its end is being written it resolves to what is on record
   * then, and callers are told that.
   */
  ended(job: RunningJob, outcome: JobOutcome): Promise<JobOutcome> | undefined | void;
  /** Callers are told now; called once, before its listeners. */
  told?(job: RunningJob): void;
}

/** A job of this process, from its submission to its end. Everything that most jobs never use is made on demand. */
export class RunningJob implements Job, CurrentJob {
  readonly id: JobUrn;
  readonly tool: Tool;
  readonly lane: JobLane;
  state: JobState = "pending";
  /** What callers are told: nothing before it is written, where it is, or a crash could give them another one later. */
  outcome: JobOutcome | undefined;
  /** How it ended here. */
  ending: JobOutcome | undefined;
  context: object | undefined;
  /** Made when the job begins, where there is an observer. */
  span: JobSpan | undefined;
  /** A store knows the job, so its answer must be repeatable. */
  kept = false;
  /** It holds a place of its lane. */
  began = false;
  /** It has given its place to others, because it waits for its client. */
  suspended = false;
  /** It waits for one. */
  queued = false;
  /** Called when the job goes on under another grant: whoever runs it elsewhere must know. */
  moved: (() => void) | undefined;
  /** Neighbours in the queue of its lane. */
  previous: RunningJob | undefined;
  next: RunningJob | undefined;

  readonly #host: JobHost;
  readonly #submission: Submission;
  /** Under which the job runs now: the platform may have given it again since. */
  #grant: PlatformGrant;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** What is left of the tool's timeout in milliseconds, and since when its clock runs. */
  #timeLeft: number | undefined;
  #clockStarted = 0;
  /** Nearly every job has one listener. */
  #onEnd: ((outcome: JobOutcome) => void) | undefined;
  #moreOnEnd: ((outcome: JobOutcome) => void)[] | undefined;
  #done: Promise<JobOutcome> | undefined;
  #events: JobEvents | undefined;
  #trace: TraceContext | undefined;

  constructor(id: JobUrn, submission: Submission, lane: JobLane, host: JobHost) {
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

  get traceparent(): string | undefined {
    if (this.span !== undefined) return this.span.traceparent;
    const caller = this.#caller;
    return caller && formatTraceparent(caller);
  }

  get tracestate(): string | undefined {
    return this.span === undefined ? this.#caller?.tracestate : this.span.tracestate;
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

  get done(): Promise<JobOutcome> {
    return (this.#done ??= new Promise((resolve) => this.onEnd(resolve)));
  }

  onEnd(listener: (outcome: JobOutcome) => void): void {
    if (this.outcome !== undefined) listener(this.outcome);
    else if (this.#onEnd === undefined) this.#onEnd = listener;
    else (this.#moreOnEnd ??= []).push(listener);
  }

  /** A field, so that it can be handed on without binding it for every job that never reports. */
  get emit(): (event: BaseEvent, internal?: boolean) => void {
    return (event, internal) => {
      if (this.ending === undefined) this.#reported().add(event, internal === true);
    };
  }

  onEvent(listener: (event: JobEvent) => void): () => void {
    const stop = this.#reported().follow(listener);
    if (this.ending !== undefined) this.#events?.close();
    return stop;
  }

  moveTo(grant: PlatformGrant): void {
    this.#grant = grant;
    this.#reported().tellSinksAgain();
    this.moved?.();
  }

  cancel(reason: string): void {
    this.end({ state: "cancelled", error: new ToolError("cancelled", reason) });
  }

  /** Asks the job to stop by aborting `signal`; its own end still counts. One that waits or cannot hear ends now. */
  interrupt(error: ToolError): void {
    if (this.ending !== undefined) return;
    if (this.#controller === undefined || !this.began) this.end({ state: "error", error });
    else this.#controller.abort(error);
  }

  /** Marks the job as executing and starts the clock of `@timeout`. */
  begin(): void {
    this.state = "executing";
    this.began = true;
    this.span = this.#host.observer?.began(this);
    this.#timeLeft = this.tool.definition.timeout;
    this.#startClock();
  }

  suspend(): void {
    if (this.suspended || !this.began || this.ending !== undefined) return;
    this.suspended = true;
    if (this.#timer !== undefined && this.#timeLeft !== undefined) {
      clearTimeout(this.#timer);
      this.#timeLeft = Math.max(1, this.#timeLeft - (performance.now() - this.#clockStarted));
    }
    this.lane.release();
  }

  resume(): void {
    if (!this.suspended || this.ending !== undefined) return;
    this.suspended = false;
    this.lane.retake();
    this.#startClock();
  }

  #startClock(): void {
    if (this.#timeLeft === undefined) return;
    this.#clockStarted = performance.now();
    this.#timer = setTimeout(() => {
      const error = new ToolError("timeout", `The tool did not finish within ${this.tool.definition.timeout} ms.`);
      this.end({ state: "error", error });
    }, this.#timeLeft);
  }

  /** Ends the job; the first end counts. Anything but success aborts `signal`. */
  end(outcome: JobOutcome): void {
    if (this.ending !== undefined) return;
    this.ending = outcome;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    const written = this.#host.ended(this, outcome);
    if (outcome.state !== "succeeded" && this.#controller !== undefined) this.#controller.abort(outcome.error);
    this.#events?.close();
    if (written instanceof Promise) void written.then((recorded) => this.#tell(recorded));
    else this.#tell(outcome);
  }

  #tell(outcome: JobOutcome): void {
    this.outcome = outcome;
    this.state = outcome.state;
    this.#host.told?.(this);
    this.#onEnd?.(outcome);
    if (this.#moreOnEnd !== undefined) for (const listener of this.#moreOnEnd) listener(outcome);
    this.#onEnd = undefined;
    this.#moreOnEnd = undefined;
  }

  /** The caller's trace context; one that W3C does not allow counts as none. */
  get #caller(): TraceContext | undefined {
    const { traceparent, tracestate } = this.#submission;
    return traceparent === undefined ? undefined : (this.#trace ??= parseTraceContext(traceparent, tracestate));
  }

  #reported(): JobEvents {
    return (this.#events ??= new JobEvents(this, this.#host.sinks, this.#submission.earlier));
  }
}
