import { context, SpanStatusCode, trace, type Context, type Meter, type Span, type Tracer } from "@opentelemetry/api";
import type {
  ClientSpan,
  OutboundCall,
  JobSpan,
  ObservedJob,
  SpanSettings,
  StepSpan,
  LoadModelCalls,
} from "../../job/job-span.ts";
import { describeThrown } from "../log/describe-thrown.ts";
import { isRequestSpan, startClientSpan } from "./client-spans.ts";
import { cleanText, fieldAttributes, longestText } from "./attributes.ts";
import { responseAttributes } from "./http-attributes.ts";
import { baggageOf, jobKey, traceparentOf } from "./context.ts";
import { flattened } from "./flat-context.ts";
import { LateAttributes } from "./late-attributes.ts";

export interface JobSpansOptions {
  readonly tracer: Tracer;
  /** `server`: the service receives requests. `consumer`: a worker that fetches jobs. */
  readonly kind: "server" | "consumer";
  readonly serviceId: string | undefined;
  /** True if outbound calls get spans of their own. */
  readonly watchesCalls: boolean;
  /** Receives spans and values of worker threads; undefined if they go to providers of the author. */
  readonly threads: ThreadSignals | undefined;
  /** Measures requests to language models; undefined if metrics are not collected. */
  readonly meter: Meter | undefined;
  /** True if spans of requests to language models contain the messages. */
  readonly capturesContents: boolean;
}

/** Takes messages about spans and values of a job's worker thread. */
export interface ThreadSignals {
  /** True if measured values are received as well. */
  readonly measures: boolean;
  receive(job: object, message: unknown): void;
  jobEnded(job: object): void;
}

/** Settings of the child spans of a job's span. */
export interface BelowJob
  extends Pick<JobSpansOptions, "tracer" | "threads" | "meter">, Omit<SpanSettings, "measures"> {
  /** In a worker thread: sends the values that have been measured. */
  readonly flush?: (() => void) | undefined;
}

/** The span of a job, which is the active one while the job runs, and starts the spans of its steps and calls. */
export class TracedJob implements JobSpan {
  readonly span: Span;
  /** Start of the job, as `performance.now()`. */
  readonly start: number = performance.now();
  readonly #context: Context;
  /** The job, whose token must not appear in a text. */
  readonly #job: Pick<ObservedJob, "authorization">;
  readonly #below: BelowJob;
  #open: Set<{ end(): void }> | undefined;

  constructor(span: Span, parent: Context, job: Pick<ObservedJob, "authorization">, below: BelowJob) {
    this.span = span;
    this.#context = trace.setSpan(flattened(parent), span).setValue(jobKey, this);
    this.#job = job;
    this.#below = below;
  }

  get settings(): SpanSettings {
    const { ids, watchesCalls, capturesContents, threads } = this.#below;
    return { ids, watchesCalls, capturesContents, measures: threads?.measures === true };
  }

  get traceparent(): string {
    return traceparentOf(trace.getSpan(this.#current) ?? this.span);
  }

  get tracestate(): string | undefined {
    const { traceState } = (trace.getSpan(this.#current) ?? this.span).spanContext();
    return traceState?.serialize();
  }

  get baggage(): string | undefined {
    return baggageOf(this.#current);
  }

  run<T>(callback: () => T): T {
    return context.with(this.#context, callback);
  }

  startStep(name: string, fields: Readonly<Record<string, unknown>>): StepSpan {
    const parent = this.#current;
    const { authorization } = this.#job;
    const { ids, tracer } = this.#below;
    const text = cleanText(name, authorization);
    const options = new LateAttributes({
      attributes: () => ({ ...ids, "platform.event_name": text, ...fieldAttributes(fields, authorization) }),
    });
    const span = tracer.startSpan(`platform.event:${text}`, options, parent);
    const step = new TracedStep(span, parent, this);
    (this.#open ??= new Set()).add(step);
    return step;
  }

  startCall(call: OutboundCall): ClientSpan | undefined {
    const parent = this.#current;
    if (isRequestSpan(trace.getSpan(parent))) return undefined;
    return startClientSpan(this.#below.tracer, call, parent, this.#job.authorization);
  }

  get modelCalls(): LoadModelCalls {
    return async () => {
      const { modelCallStarter } = await import("./model/model-calls.ts");
      const { tracer, meter, watchesCalls, capturesContents } = this.#below;
      return modelCallStarter({
        tracer: watchesCalls ? tracer : undefined,
        meter,
        captures: capturesContents,
        current: () => this.#current,
        token: () => this.#job.authorization,
        open: (this.#open ??= new Set()),
      });
    };
  }

  received(message: unknown): void {
    this.#below.threads?.receive(this, message);
  }

  forget(step: TracedStep): void {
    this.#open?.delete(step);
  }

  /** Adds an `exception` event by the conventions, without secrets. */
  recordThrown(span: Span, thrown: unknown): void {
    const token = this.#job.authorization;
    const { type, message, stack } = describeThrown(thrown);
    span.addEvent("exception", {
      "exception.type": cleanText(type, token),
      "exception.message": cleanText(message, token),
      ...(stack !== undefined && { "exception.stacktrace": cleanText(stack, token, 8 * longestText) }),
    });
  }

  /** Ends the spans of steps and of requests to language models that are still open, and sends values. */
  endSteps(): void {
    for (const open of this.#open ?? []) open.end();
    this.#below.flush?.();
  }

  /** Ends the span of an attempt without an outcome: its job is parked. */
  leave(): void {
    this.endSteps();
    this.#below.threads?.jobEnded(this);
    this.span.end();
  }

  /** Ends the span with the job's outcome. */
  end({ outcome, submission: { http } }: ObservedJob): void {
    this.endSteps();
    this.#below.threads?.jobEnded(this);
    const { span } = this;
    if (!span.isRecording()) return span.end();
    if (http !== undefined) span.setAttributes(responseAttributes(http, outcome));
    if (outcome?.state === "succeeded") {
      span.setAttribute("platform.ok", true);
      span.setStatus({ code: SpanStatusCode.OK });
    } else span.setAttribute("platform.ok", false);
    if (outcome !== undefined && outcome.state !== "succeeded") {
      const { kind, cause } = outcome.error;
      span.setAttribute("platform.error_type", cause === undefined ? kind : describeThrown(cause).type);
      span.setAttribute("error.type", kind);
      span.setStatus({ code: SpanStatusCode.ERROR, message: kind });
      if (outcome.state === "error" && cause !== undefined) this.recordThrown(span, cause);
    }
    span.end();
  }

  /**
   * Returns the active context if it belongs to the job, since a callback of a pool may run in the context of another
   * job.
   */
  get #current(): Context {
    const active = context.active();
    return active.getValue(jobKey) === this ? active : this.#context;
  }
}

class TracedStep implements StepSpan {
  readonly #span: Span;
  readonly #context: Context;
  readonly #job: TracedJob;
  #ended = false;

  constructor(span: Span, parent: Context, job: TracedJob) {
    this.#span = span;
    this.#context = trace.setSpan(parent, span);
    this.#job = job;
  }

  run<T>(callback: () => T): T {
    return context.with(this.#context, callback);
  }

  failed(thrown: unknown): void {
    if (this.#ended) return;
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#job.recordThrown(this.#span, thrown);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#job.forget(this);
    this.#span.end();
  }
}
