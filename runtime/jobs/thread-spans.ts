import { randomBytes } from "node:crypto";
import type { JsonObject } from "../contract.ts";
import { jsonSafeFields } from "../events/json-safe.ts";
import { describeThrown } from "../telemetry/describe-thrown.ts";
import type { ThrownDescription } from "../telemetry/describe-thrown.ts";
import { currentStep } from "../telemetry/job-span.ts";
import type { JobSpan, StepSpan } from "../telemetry/job-span.ts";

/** What becomes of the span of a step within a thread; the main thread makes it. */
export type SpanMessage =
  | {
      readonly kind: "step-began";
      readonly spanId: string;
      /** The step around it; undefined: the job itself. */
      readonly parentId: string | undefined;
      readonly name: string;
      readonly fields: JsonObject;
    }
  | { readonly kind: "step-failed"; readonly spanId: string; readonly error: ThrownDescription }
  | { readonly kind: "step-ended"; readonly spanId: string };

/** The span of a job as its thread has it: it gives out ids at once and tells the main thread what they stand for. */
export class ThreadJobSpan implements JobSpan {
  readonly tracestate: string | undefined;
  readonly #own: string;
  readonly #send: (message: SpanMessage) => void;

  constructor(traceparent: string, tracestate: string | undefined, send: (message: SpanMessage) => void) {
    this.#own = traceparent;
    this.tracestate = tracestate;
    this.#send = send;
  }

  get traceparent(): string {
    return this.#step?.traceparent ?? this.#own;
  }

  startStep(name: string, fields: Readonly<Record<string, unknown>>): StepSpan {
    const spanId = randomBytes(8).toString("hex");
    const parentId = this.#step?.traceparent.slice(36, 52);
    this.#send({ kind: "step-began", spanId, parentId, name, fields: jsonSafeFields(fields) });
    const step: StepSpan = {
      traceparent: this.#own.slice(0, 36) + spanId + this.#own.slice(52),
      run: (callback) => currentStep.run({ job: this, step }, callback),
      failed: (thrown) => this.#send({ kind: "step-failed", spanId, error: describeThrown(thrown) }),
      end: () => this.#send({ kind: "step-ended", spanId }),
    };
    return step;
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

  constructor(job: JobSpan) {
    this.#job = job;
  }

  apply(message: SpanMessage, rebuild: (error: ThrownDescription) => Error): void {
    const { spanId } = message;
    switch (message.kind) {
      case "step-began": {
        const { name, fields, parentId } = message;
        const begin = (): StepSpan => this.#job.startStep(name, fields, spanId);
        const parent = parentId === undefined ? undefined : this.#steps.get(parentId);
        this.#steps.set(spanId, parent === undefined ? begin() : parent.run(begin));
        break;
      }
      case "step-failed":
        this.#steps.get(spanId)?.failed(rebuild(message.error));
        break;
      case "step-ended":
        this.#steps.get(spanId)?.end();
    }
  }
}
