import { eventBody, StepErrorEvent, StepFinishEvent, StepStartEvent, type BaseEvent } from "../../job/event.ts";
import type { EventSink, EventSource } from "../../job/sink.ts";
import { EventWindow } from "../../job/event-window.ts";
import { logState } from "../../telemetry/log/log-state.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { JobEvent } from "../../job/job.ts";

const internalText = "The step failed. The service's log has the reason.";

/**
 * Stores events. Any answer but `ok` means that this attempt is over, because another attempt has stored an event with
 * one of these numbers.
 */
export type KeepEvents = (events: readonly JobEvent[]) => Promise<string> | string;

/** Events of one job: numbered, buffered for replay, and passed to sinks and listeners. */
export class JobEvents {
  readonly #source: EventSource;
  readonly #sinks: readonly EventSink[];
  readonly #kept: EventWindow<JobEvent>;
  #sequence: number;
  /** Number of the last event that callers have received. */
  #told: number;
  /**
   * Stores events; set for a stored job. Callers then get an event only after it is stored: otherwise, after a crash,
   * they could get a different event with the same number.
   */
  keep: KeepEvents | undefined;
  /** Number of writes that the store has not answered. */
  #writes = 0;
  /** Events that wait for the end of these writes; if a job reports faster than the store writes, the latest ones. */
  #unstored: EventWindow<JobEvent> | undefined;
  #listeners: Set<(event: JobEvent) => void> | undefined;
  /** Names of the steps that have begun and not ended, in order of their start. A reported error ends its step. */
  #openSteps: string[] | undefined;
  /** Cache of the time of the last event, as number and as text: many events have the same millisecond. */
  #at = 0;
  #timestamp = "";

  /**
   * Creates the events of a job.
   *
   * @param earlier Events of earlier attempts; the numbering continues after them.
   */
  constructor(source: EventSource, sinks: readonly EventSink[], earlier: readonly JobEvent[] = []) {
    this.#source = source;
    this.#sinks = sinks;
    this.#kept = new EventWindow(bodyOf, earlier);
    this.#told = this.#sequence = earlier.at(-1)?.sequence ?? 0;
  }

  get hasListeners(): boolean {
    return this.#listeners !== undefined && this.#listeners.size > 0;
  }

  /** Adds an event. `internal`: callers must not get the text of the error. */
  add(event: BaseEvent, internal: boolean): void {
    const sequence = ++this.#sequence;
    const timestamp = this.#now();
    const body = logState().redactor.event(eventBody(event, timestamp, sequence), this.#source.authorization);
    const record: JobEvent = { sequence, timestamp, event, body, publicBody: publicBody(body, internal) };
    this.#kept.push(record);
    this.#followStep(body);
    for (const sink of this.#sinks) sink.emit(this.#source, record);
    if (this.#writes > 0) (this.#unstored ??= new EventWindow(bodyOf)).push(record);
    else this.#store([record]);
  }

  /** Stores the events that wait. Called before the end of the job is stored, since nothing is stored after it. */
  storeAll(): void {
    const waiting = this.#unstored?.events;
    this.#unstored = undefined;
    if (waiting !== undefined) this.#store(waiting);
  }

  #store(events: readonly JobEvent[]): void {
    const answer = this.keep?.(events);
    if (!(answer instanceof Promise)) return this.#tellAll(events, answer);
    this.#writes++;
    const written = (kept?: string): void => {
      this.#writes--;
      this.#tellAll(events, kept);
      if (this.#writes === 0) this.storeAll();
    };
    // If the store fails, the job's events are passed on nevertheless.
    answer.then(written, () => written());
  }

  /** Reports an error for each open step, the inner ones first. No other code does so when a job is stopped. */
  failOpenSteps(message: string): void {
    for (const name of this.#openSteps?.splice(0).toReversed() ?? [])
      this.add(new StepErrorEvent(message, name), false);
  }

  /** Passes on an event of a later attempt, which another process runs. */
  pass(event: JobEvent): void {
    if (event.sequence > this.#told) this.#tell(event);
  }

  /** Calls the listener for buffered and future events, until {@link close} or the returned function is called. */
  follow(listener: (event: JobEvent) => void): () => void {
    for (const event of this.#kept.events) if (event.sequence <= this.#told) listener(event);
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Passes all events to the sinks again, because a new attempt numbers its events from 1. */
  tellSinksAgain(): void {
    const lost = (this.#kept.events[0]?.sequence ?? 1) - 1;
    if (lost > 0) getLogger("tenon").warn({ job_id: this.#source.id, lost }, "events of the job were lost");
    for (const event of this.#kept.events) for (const sink of this.#sinks) sink.emit(this.#source, event);
  }

  /** Ends the stream of events. */
  close(): void {
    this.#listeners = undefined;
  }

  #followStep({ $schema: schema, name, context }: JobEvent["body"]): void {
    if (schema === StepStartEvent.SCHEMA) (this.#openSteps ??= []).push(String(name));
    if (this.#openSteps === undefined) return;
    if (schema !== StepFinishEvent.SCHEMA && schema !== StepErrorEvent.SCHEMA) return;
    const index = this.#openSteps.lastIndexOf(String(schema === StepErrorEvent.SCHEMA ? context : name));
    if (index >= 0) this.#openSteps.splice(index, 1);
  }

  #tellAll(events: readonly JobEvent[], answer = "ok"): void {
    if (answer === "ok") for (const event of events) this.#tell(event);
  }

  #tell(event: JobEvent): void {
    this.#told = event.sequence;
    if (this.#listeners !== undefined) for (const listener of this.#listeners) listener(event);
  }

  #now(): string {
    const now = Date.now();
    if (now === this.#at) return this.#timestamp;
    this.#at = now;
    return (this.#timestamp = new Date(now).toISOString());
  }
}

function bodyOf({ body }: JobEvent): JobEvent["body"] {
  return body;
}

function publicBody(body: JobEvent["body"], internal: boolean): JobEvent["body"] {
  if (!internal && !("stacktrace" in body)) return body;
  const { stacktrace: _, ...rest } = body;
  return internal && "error" in rest ? { ...rest, error: internalText } : rest;
}
