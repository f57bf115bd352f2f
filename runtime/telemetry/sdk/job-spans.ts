import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Context, Span, Tracer } from "@opentelemetry/api";
import { jsonSafeFields } from "../../events/json-safe.ts";
import { describeThrown } from "../describe-thrown.ts";
import { currentStep } from "../job-span.ts";
import type { JobSpan, ObservedJob, StepSpan } from "../job-span.ts";
import { logState } from "../log-state.ts";
import type { SpanIds } from "./span-ids.ts";
import { parentContext, traceparentOf, tracestateOf } from "./parent-context.ts";

export interface JobSpansOptions {
  readonly tracer: Tracer;
  readonly spanIds: SpanIds;
  /** Jobs of a server, or of a worker that fetches them. */
  readonly kind: "server" | "consumer";
  readonly serviceId: string | undefined;
}

/** Characters that a text of the author's may have in a span. */
const longestText = 1024;

/** Makes the span of a job that begins to run, below the caller's. */
export function startJobSpan(job: ObservedJob, { tracer, spanIds, kind, serviceId }: JobSpansOptions): SdkJobSpan {
  const common = { "platform.job_id": job.id, ...(serviceId !== undefined && { "platform.service_id": serviceId }) };
  const { traceparent, tracestate } = job.submission;
  const span = tracer.startSpan(
    "platform.job",
    {
      kind: kind === "server" ? SpanKind.SERVER : SpanKind.CONSUMER,
      attributes: { ...common, "platform.tool": job.tool.name },
    },
    parentContext(traceparent, tracestate),
  );
  return new SdkJobSpan(span, { tracer, spanIds, common, token: job.authorization });
}

interface JobSpanOptions {
  readonly tracer: Tracer;
  readonly spanIds: SpanIds;
  /** Attributes of every span of the job. */
  readonly common: Readonly<Record<string, string>>;
  /** Of the job; it must not be in a text. */
  readonly token: string | undefined;
}

/** The span of a job, with those of its steps. */
export class SdkJobSpan implements JobSpan {
  readonly tracestate: string | undefined;
  readonly span: Span;
  readonly #own: string;
  readonly #options: JobSpanOptions;
  #open: Set<SdkStepSpan> | undefined;

  constructor(span: Span, options: JobSpanOptions) {
    this.span = span;
    this.#options = options;
    this.#own = traceparentOf(span.spanContext());
    this.tracestate = tracestateOf(span.spanContext());
  }

  get traceparent(): string {
    return this.#step?.traceparent ?? this.#own;
  }

  startStep(name: string, fields: Readonly<Record<string, unknown>>, spanId?: string): StepSpan {
    const { tracer, spanIds, common, token } = this.#options;
    const text = clean(name, token);
    const attributes = { ...common, "platform.event_name": text, ...fieldAttributes(fields, token) };
    const begin = (): Span => tracer.startSpan(`platform.event:${text}`, { attributes }, this.context);
    const span = spanId === undefined ? begin() : spanIds.use(spanId, begin);
    const step = new SdkStepSpan(span, this);
    (this.#open ??= new Set()).add(step);
    return step;
  }

  /** The context of the code that calls, for spans below the job. */
  get context(): Context {
    const step = this.#step;
    return trace.setSpan(parentContext(undefined, undefined), step instanceof SdkStepSpan ? step.span : this.span);
  }

  forget(step: SdkStepSpan): void {
    this.#open?.delete(step);
  }

  /** Adds an `exception` event as the conventions have it, without secrets. */
  recordThrown(span: Span, thrown: unknown): void {
    const { token } = this.#options;
    const { type, message, stack } = describeThrown(thrown);
    span.addEvent("exception", {
      "exception.type": clean(type, token),
      "exception.message": clean(message, token),
      ...(stack !== undefined && { "exception.stacktrace": clean(stack, token, 8 * longestText) }),
    });
  }

  /** Ends the span as the job has ended, and the steps that were left open. */
  end({ outcome }: ObservedJob): void {
    for (const step of this.#open ?? []) step.end();
    const ok = outcome?.state === "succeeded";
    this.span.setAttribute("platform.ok", ok);
    if (outcome !== undefined && outcome.state !== "succeeded") {
      const { kind, cause } = outcome.error;
      this.span.setAttribute("platform.error_type", cause === undefined ? kind : describeThrown(cause).type);
      this.span.setAttribute("error.type", kind);
      this.span.setStatus({ code: SpanStatusCode.ERROR, message: kind });
      if (outcome.state === "error" && cause !== undefined) this.recordThrown(this.span, cause);
    } else if (ok) this.span.setStatus({ code: SpanStatusCode.OK });
    this.span.end();
  }

  get #step(): StepSpan | undefined {
    const current = currentStep.getStore();
    return current?.job === this ? current.step : undefined;
  }
}

class SdkStepSpan implements StepSpan {
  readonly span: Span;
  readonly traceparent: string;
  readonly #job: SdkJobSpan;
  #ended = false;

  constructor(span: Span, job: SdkJobSpan) {
    this.span = span;
    this.#job = job;
    this.traceparent = traceparentOf(span.spanContext());
  }

  run<T>(callback: () => T): T {
    return currentStep.run({ job: this.#job, step: this }, callback);
  }

  failed(thrown: unknown): void {
    if (this.#ended) return;
    this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.#job.recordThrown(this.span, thrown);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#job.forget(this);
    this.span.end();
  }
}

/** What the author gave with a step, as far as attributes can hold it: texts, numbers, booleans and lists of one kind. */
function fieldAttributes(
  fields: Readonly<Record<string, unknown>>,
  token: string | undefined,
): Readonly<Record<string, unknown>> {
  const attributes: [string, unknown][] = [];
  for (const [name, value] of Object.entries(logState().redactor.fields(jsonSafeFields(fields), token))) {
    const simple = typeof value === "string" ? value.slice(0, longestText) : value;
    if (isSimple(simple) || isSimpleList(simple)) attributes.push([`platform.event.${name.slice(0, 100)}`, simple]);
  }
  return Object.fromEntries(attributes.slice(0, 50));
}

function isSimple(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isSimpleList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((item) => isSimple(item) && typeof item === typeof value[0])
  );
}

function clean(text: string, token: string | undefined, limit = longestText): string {
  return logState().redactor.text(text, token).slice(0, limit);
}
