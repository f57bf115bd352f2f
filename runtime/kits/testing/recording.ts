import type { JsonObject } from "../../contract/contract.ts";
import { GenericEvent, StepErrorEvent, StepFinishEvent, StepStartEvent } from "../../job/event.ts";
import type { JobEvent } from "../../job/job.ts";

const genericSchema = GenericEvent.SCHEMA;

/** An event as it leaves the service: its body, with `$schema`, `timestamp` and `sequence`. */
export type RecordedEvent = JsonObject;

/** Events of one step. */
export interface RecordedStep {
  readonly name: string;
  /** Message and fields of the step's start. */
  readonly started: JsonObject;
  /** Arguments of `step.info({ … })`, in order. Events of your own classes are in `events` only. */
  readonly progress: readonly JsonObject[];
  /** Message and fields of the step's end; absent while the step runs or after it failed. */
  readonly finished?: JsonObject;
  /** Text of the error that ended the step, or of the last error that the step reported. */
  readonly failed?: string;
}

interface OpenStep extends RecordedStep {
  readonly progress: JsonObject[];
  finished?: JsonObject;
  failed?: string;
}

/** All events of a job, and the steps they describe. Both lists grow while the job runs. */
export interface Recording {
  readonly events: readonly RecordedEvent[];
  readonly steps: readonly RecordedStep[];
  add(event: JobEvent): void;
}

/** Creates an empty recording. */
export function createRecording(): Recording {
  const events: RecordedEvent[] = [];
  const steps: OpenStep[] = [];
  // Finds the open step of an event. Steps of one name may run at the same time; an event then counts for the step that
  // began last.
  const openStep = (name: unknown): OpenStep | undefined =>
    steps.findLast((step) => step.name === name && step.finished === undefined && step.failed === undefined) ??
    steps.findLast((step) => step.name === name && step.finished === undefined);
  return {
    events,
    steps,
    add({ event, body }) {
      events.push(body);
      const options = (body["options"] ?? {}) as JsonObject;
      if (event instanceof StepStartEvent) steps.push({ name: event.name, started: options, progress: [] });
      else if (event instanceof StepErrorEvent) fail(openStep(event.context), body);
      else if (event instanceof StepFinishEvent) finish(openStep(event.name), options);
      else if (body["$schema"] === genericSchema) openStep(body["name"])?.progress.push(options);
    },
  };
}

function fail(step: OpenStep | undefined, body: JsonObject): void {
  if (step !== undefined) step.failed = String(body["error"]);
}

function finish(step: OpenStep | undefined, options: JsonObject): void {
  if (step !== undefined) step.finished = options;
}
