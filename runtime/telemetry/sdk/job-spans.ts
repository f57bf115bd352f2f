import { jsonSafeFields } from "../../base/json-safe.ts";
import type { ClientSpan, OutboundCall } from "../../job/client-span.ts";
import { describeThrown } from "../log/describe-thrown.ts";
import { currentStep } from "../../job/job-span.ts";
import type { JobSpan, ObservedJob, StepSpan } from "../../job/job-span.ts";
import { logState } from "../log/log-state.ts";
import { startClientSpan } from "./client-spans.ts";
import { encodeCommon } from "./encode-spans.ts";
import { remoteParent, Span } from "./span.ts";
import type { AttributeValue, SpanSource } from "./span.ts";

export interface JobSpansOptions {
  readonly spans: SpanSource;
  /** `server`: jobs are requested from it. `consumer`: a worker that fetches jobs. */
  readonly kind: "server" | "consumer";
  readonly serviceId: string | undefined;
  /** Outbound calls get spans of their own. */
  readonly watchesCalls: boolean;
}

/** Maximum characters of an author's text in a span. */
const longestText = 1024;
/** Maximum number of a step's fields that become attributes. */
const mostFields = 50;

/** Creates the function that starts the span of a job, as a child of the caller's span. */
export function jobSpanStarter({
  spans,
  kind,
  serviceId,
  watchesCalls,
}: JobSpansOptions): (job: ObservedJob) => SdkJobSpan {
  const service = { ...(serviceId !== undefined && { "platform.service_id": serviceId }) };
  const shared = { spans, ofSteps: encodeCommon({ kind: "internal", attributes: service }), watchesCalls };
  const ofTools = new Map<string, Uint8Array>();
  const commonOf = (tool: string): Uint8Array => {
    let common = ofTools.get(tool);
    if (common === undefined) {
      common = encodeCommon({ name: "platform.job", kind, attributes: { ...service, "platform.tool": tool } });
      ofTools.set(tool, common);
    }
    return common;
  };
  return (job) => {
    const { traceparent, tracestate } = job.submission;
    const parent = remoteParent(traceparent, tracestate);
    const common = commonOf(job.tool.name);
    const span = new Span(spans, { parent, isRemote: parent !== undefined, common });
    span.jobId = job.id;
    return new SdkJobSpan(span, job, shared);
  };
}

/** The common ending of all successful jobs. */
const succeeded = encodeCommon({ attributes: { "platform.ok": true }, status: "ok" });

/** Data that the spans of all jobs share. */
interface SharedByJobs {
  readonly spans: SpanSource;
  /** Fields of every step. */
  readonly ofSteps: Uint8Array;
  readonly watchesCalls: boolean;
}

/** The span of a job and the spans of its steps. */
export class SdkJobSpan implements JobSpan {
  readonly span: Span;
  /** The job; its token must not appear in a text. */
  readonly #job: Pick<ObservedJob, "id" | "authorization">;
  readonly #shared: SharedByJobs;
  #open: Set<SdkStepSpan> | undefined;

  constructor(span: Span, job: Pick<ObservedJob, "id" | "authorization">, shared: SharedByJobs) {
    this.span = span;
    this.#job = job;
    this.#shared = shared;
  }

  get tracestate(): string | undefined {
    return this.span.tracestate;
  }

  get watchesCalls(): boolean {
    return this.#shared.watchesCalls;
  }

  get traceparent(): string {
    return this.#current.traceparent;
  }

  startStep(name: string, fields: Readonly<Record<string, unknown>>, spanId?: string): StepSpan {
    const { spans, ofSteps: common } = this.#shared;
    const { id, authorization } = this.#job;
    const text = clean(name, authorization);
    const span = new Span(spans, { name: `platform.event:${text}`, parent: this.#current, spanId, common });
    span.jobId = id;
    span.set("platform.event_name", text);
    addFields(span, fields, authorization);
    const step = new SdkStepSpan(span, this);
    (this.#open ??= new Set()).add(step);
    return step;
  }

  startCall(call: OutboundCall, spanId?: string): ClientSpan {
    return startClientSpan(this.#shared.spans, call, this.#current, spanId);
  }

  forget(step: SdkStepSpan): void {
    this.#open?.delete(step);
  }

  /** Adds an `exception` event by the conventions, without secrets. */
  recordThrown(span: Span, thrown: unknown): void {
    const token = this.#job.authorization;
    const { type, message, stack } = describeThrown(thrown);
    span.addEvent("exception", {
      "exception.type": clean(type, token),
      "exception.message": clean(message, token),
      ...(stack !== undefined && { "exception.stacktrace": clean(stack, token, 8 * longestText) }),
    });
  }

  /** Ends the span with the job's outcome, and the steps that are still open. */
  end({ outcome }: ObservedJob): void {
    for (const step of this.#open ?? []) step.end();
    const { span } = this;
    if (outcome?.state === "succeeded") span.ending = succeeded;
    else span.set("platform.ok", false);
    if (outcome !== undefined && outcome.state !== "succeeded") {
      const { kind, cause } = outcome.error;
      span.set("platform.error_type", cause === undefined ? kind : describeThrown(cause).type);
      span.set("error.type", kind).failed(kind);
      if (outcome.state === "error" && cause !== undefined) this.recordThrown(span, cause);
    }
    span.end();
  }

  /** The span of the calling code: its step's, else the job's. */
  get #current(): Span {
    const current = currentStep.getStore();
    return current?.job === this && current.step instanceof SdkStepSpan ? current.step.span : this.span;
  }
}

class SdkStepSpan implements StepSpan {
  readonly span: Span;
  readonly #job: SdkJobSpan;
  #ended = false;

  constructor(span: Span, job: SdkJobSpan) {
    this.span = span;
    this.#job = job;
  }

  get traceparent(): string {
    return this.span.traceparent;
  }

  run<T>(callback: () => T): T {
    return currentStep.run({ job: this.#job, step: this }, callback);
  }

  failed(thrown: unknown): void {
    if (this.#ended) return;
    this.span.failed();
    this.#job.recordThrown(this.span, thrown);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#job.forget(this);
    this.span.end();
  }
}

/**
 * Adds the author's fields of a step, as far as attributes can hold them: texts, numbers, booleans and lists of one
 * kind.
 */
function addFields(span: Span, fields: Readonly<Record<string, unknown>>, token: string | undefined): void {
  const attributes = new Map<string, AttributeValue>();
  for (const [name, value] of Object.entries(logState().redactor.fields(jsonSafeFields(fields), token))) {
    const simple: unknown = typeof value === "string" ? value.slice(0, longestText) : value;
    if (isSimple(simple) || isSimpleList(simple)) attributes.set(`platform.event.${name.slice(0, 100)}`, simple);
    if (attributes.size === mostFields) break;
  }
  for (const [name, value] of attributes) span.set(name, value);
}

function isSimple(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isSimpleList(value: unknown): value is readonly (string | number | boolean)[] {
  return (
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((item) => isSimple(item) && typeof item === typeof value[0])
  );
}

function clean(text: string, token: string | undefined, limit = longestText): string {
  return logState().redactor.text(text, token).slice(0, limit);
}
