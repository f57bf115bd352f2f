import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../contract/contract.ts";
import { jsonSafeFields } from "../../base/json-safe.ts";
import type { CallResult, ClientSpan, OutboundCall } from "../../job/client-span.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import type { ThrownDescription } from "../../telemetry/log/describe-thrown.ts";
import { currentStep } from "../../job/job-span.ts";
import type { JobSpan, StepSpan } from "../../job/job-span.ts";

/** Life of a span of a step or an outbound call within a thread; the main thread creates it. */
export type SpanMessage =
  | {
      readonly kind: "step-began";
      readonly spanId: string;
      /** The enclosing step; undefined: the job itself. */
      readonly parentId: string | undefined;
      readonly name: string;
      readonly fields: JsonObject;
    }
  | { readonly kind: "step-failed"; readonly spanId: string; readonly error: ThrownDescription }
  | { readonly kind: "step-ended"; readonly spanId: string }
  | {
      readonly kind: "call-began";
      readonly spanId: string;
      /** As for steps. */
      readonly parentId: string | undefined;
      readonly method: string;
      readonly url: string;
    }
  | { readonly kind: "call-ended"; readonly spanId: string; readonly result: SentResult };

type SentResult = { readonly status: number } | { readonly error: ThrownDescription };

/** The span of a job in its thread: it makes ids at once and tells the main thread about them. */
export class ThreadJobSpan implements JobSpan {
  readonly tracestate: string | undefined;
  readonly watchesCalls: boolean;
  readonly #own: string;
  readonly #send: (message: SpanMessage) => void;

  constructor(
    { traceparent, tracestate, watchesCalls }: Pick<JobSpan, "traceparent" | "tracestate" | "watchesCalls">,
    send: (message: SpanMessage) => void,
  ) {
    this.#own = traceparent;
    this.tracestate = tracestate;
    this.watchesCalls = watchesCalls;
    this.#send = send;
  }

  get traceparent(): string {
    return this.#step?.traceparent ?? this.#own;
  }

  startStep(name: string, fields: Readonly<Record<string, unknown>>): StepSpan {
    const spanId = newSpanId();
    this.#send({ kind: "step-began", spanId, parentId: this.#parentId, name, fields: jsonSafeFields(fields) });
    const step: StepSpan = {
      traceparent: this.#traceparentOf(spanId),
      run: (callback) => currentStep.run({ job: this, step }, callback),
      failed: (thrown) => this.#send({ kind: "step-failed", spanId, error: describeThrown(thrown) }),
      end: () => this.#send({ kind: "step-ended", spanId }),
    };
    return step;
  }

  startCall({ method, url }: OutboundCall): ClientSpan {
    const spanId = newSpanId();
    this.#send({ kind: "call-began", spanId, parentId: this.#parentId, method, url: url.href });
    const send = (result: SentResult): void => this.#send({ kind: "call-ended", spanId, result });
    return {
      traceparent: this.#traceparentOf(spanId),
      ended: (result) => send("error" in result ? { error: describeThrown(result.error) } : result),
    };
  }

  get #parentId(): string | undefined {
    return this.#step?.traceparent.slice(36, 52);
  }

  #traceparentOf(spanId: string): string {
    return this.#own.slice(0, 36) + spanId + this.#own.slice(52);
  }

  get #step(): StepSpan | undefined {
    const current = currentStep.getStore();
    return current?.job === this ? current.step : undefined;
  }
}

/** The spans of a thread's job in the main thread. */
export class ReceivedSpans {
  readonly #job: JobSpan;
  readonly #steps = new Map<string, StepSpan>();
  readonly #calls = new Map<string, ClientSpan>();

  constructor(job: JobSpan) {
    this.#job = job;
  }

  apply(message: SpanMessage, rebuild: (error: ThrownDescription) => unknown): void {
    const { spanId } = message;
    switch (message.kind) {
      case "step-began": {
        const { name, fields, parentId } = message;
        this.#steps.set(
          spanId,
          this.#below(parentId, () => this.#job.startStep(name, fields, spanId)),
        );
        break;
      }
      case "step-failed":
        this.#steps.get(spanId)?.failed(rebuild(message.error));
        break;
      case "step-ended":
        this.#steps.get(spanId)?.end();
        break;
      case "call-began": {
        const call = { method: message.method, url: new URL(message.url) };
        this.#calls.set(
          spanId,
          this.#below(message.parentId, () => this.#job.startCall(call, spanId)),
        );
        break;
      }
      case "call-ended":
        this.#calls.get(spanId)?.ended(receivedResult(message.result, rebuild));
        this.#calls.delete(spanId);
    }
  }

  #below<T>(parentId: string | undefined, begin: () => T): T {
    const parent = parentId === undefined ? undefined : this.#steps.get(parentId);
    return parent === undefined ? begin() : parent.run(begin);
  }
}

function receivedResult(result: SentResult, rebuild: (error: ThrownDescription) => unknown): CallResult {
  return "error" in result ? { error: rebuild(result.error) } : result;
}

function newSpanId(): string {
  return randomBytes(8).toString("hex");
}
