import type { JobEvent } from "./transport.ts";

/** A class of events, as its author wrote it: `static override readonly SCHEMA = "urn:…"`. */
export interface EventClass {
  readonly SCHEMA: string;
  readonly prototype: object;
}

/** Fields of an event in the form that JSON can carry. */
type EventData<Event> = {
  readonly [
    Key in keyof Event as Event[Key] extends (...given: never[]) => unknown ? never : Key extends "schema" ? never : Key
  ]: JsonOf<Event[Key]>;
} & { readonly $schema: string; readonly timestamp: string; readonly sequence: number };

type JsonOf<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Date | URL
    ? string
    : T extends object
      ? { readonly [Key in keyof T]: JsonOf<T[Key]> }
      : T;

/** An event of a known class: `data` has the types of the class's fields. */
export interface TypedEvent<Class extends EventClass> extends Omit<JobEvent, "schema" | "data"> {
  readonly schema: Class["SCHEMA"];
  readonly data: EventData<Class["prototype"]>;
}

/**
 * True for an event of a class, which the caller knows by its type alone:
 *
 * ```ts
 * import type { TokenEvent } from "../service/src/events.ts";
 * if (isEvent<typeof TokenEvent>(event, "urn:example:schema:token.1")) console.log(event.data.text);
 * ```
 */
export function isEvent<Class extends EventClass>(
  event: { readonly schema: string },
  schema: Class["SCHEMA"],
): event is TypedEvent<Class> {
  return event.schema === schema;
}

/** Report of a step. */
export interface JobProgress {
  /** Name of the step; for an event that was reported outside of a step, the name of the event. */
  readonly step: string;
  /** Percentage from 0 to 100, if the step reports one; 100 at its end. */
  readonly percent: number | undefined;
  readonly message: string | undefined;
}

/** Returns the progress that an event reports; undefined for an event of another kind. */
export function progressOf({ schema, data }: JobEvent): JobProgress | undefined {
  const kind = /:service\.event\.(generic|step\.\w+)\.1$/.exec(schema)?.[1];
  const { progress, message = data["error"] } = Object(data["options"]);
  const percent = kind === "step.finish" ? 100 : progress;
  return (kind && { step: data["name"] ?? data["context"], percent, message }) as JobProgress | undefined;
}
