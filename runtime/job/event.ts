import type { JsonObject, JsonValue } from "../contract/contract.ts";
import { jsonSafeFields, setField } from "../base/json-safe.ts";

/**
 * Base class of all events of a job. Own events extend it, with their own schema URN and public fields:
 *
 * ```ts
 * class TokenEvent extends BaseEvent {
 *   static override readonly SCHEMA = "urn:example:schema:token.1";
 *   constructor(readonly text: string) { super(); }
 * }
 * ```
 */
export abstract class BaseEvent {
  /** Schema URN of the event; every class sets its own. */
  static readonly SCHEMA: string = "";

  constructor() {
    if (new.target.SCHEMA === "") {
      throw new TypeError(
        `Event class ${new.target.name} has no schema: add static override readonly SCHEMA = "urn:\u2026" to it.`,
      );
    }
  }

  /** Schema URN of this event. */
  get schema(): string {
    return (this.constructor as typeof BaseEvent).SCHEMA;
  }
}

/** Fields of an event, by name. */
export type EventOptions = Readonly<Record<string, unknown>>;

/** A named progress event. */
export class GenericEvent extends BaseEvent {
  static override readonly SCHEMA: string = "urn:platform:schema:service.event.generic.1";
  readonly name: string;
  readonly options: EventOptions | null;

  constructor(name: string, options: EventOptions | null = null) {
    super();
    this.name = name;
    this.options = options;
  }
}

/** An error that does not end the job. */
export class GenericErrorEvent extends BaseEvent {
  static override readonly SCHEMA: string = "urn:platform:schema:service.event.error.1";
  readonly error: string;
  readonly context: string | null;
  /** Stack frames, outermost last. Sent to the platform and the log, never to a caller. */
  readonly stacktrace?: readonly string[];

  constructor(error: string, context: string | null = null, stacktrace?: readonly string[]) {
    super();
    this.error = error;
    this.context = context;
    if (stacktrace !== undefined) this.stacktrace = stacktrace;
  }
}

/** The start of a step. */
export class StepStartEvent extends GenericEvent {
  static override readonly SCHEMA: string = "urn:platform:schema:service.event.step.start.1";
}

/** The end of a step without an error. */
export class StepFinishEvent extends GenericEvent {
  static override readonly SCHEMA: string = "urn:platform:schema:service.event.step.finish.1";
}

/** An exception that ended a step, or an error that it reported. */
export class StepErrorEvent extends GenericErrorEvent {
  static override readonly SCHEMA: string = "urn:platform:schema:service.event.step.error.1";
}

/** The body of an event as it is sent: `$schema`, the fields, `timestamp`, `sequence`. A snapshot; never throws. */
export function eventBody(event: BaseEvent, timestamp: string, sequence: number): JsonObject {
  const body: Record<string, JsonValue> = { $schema: event.schema };
  for (const [name, value] of Object.entries(jsonSafeFields(event)))
    if (name !== "$schema") setField(body, name, value ?? null);
  body["timestamp"] = timestamp;
  body["sequence"] = sequence;
  return body;
}
