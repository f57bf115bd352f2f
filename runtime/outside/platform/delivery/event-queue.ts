import type { JobEvent, JobUrn } from "../../../job/job.ts";
import type { CallOwner } from "../sidecar/call-owner.ts";
import type { EventSource } from "../../../job/sink.ts";

/** Number of delivered events after which they are removed from the list. */
const cutAt = 256;

/** The undelivered events of one job, and the callers that wait for them. */
export class EventQueue {
  readonly id: JobUrn;
  lost = 0;
  /** True when undelivered events are on disk, with the result of the job: the next start sends them. */
  isSaved = false;
  /** Time in milliseconds since which a caller or a result has been waiting for the last event. */
  awaitedSince: number | undefined;
  /** Aborts the pause after a failure. */
  pause: AbortController | undefined;
  /** Functions that end a `flush`: they are called when all events are delivered or dropped. */
  readonly waiters: (() => void)[] = [];
  /** Functions that end a `catchUp`: they are called when all events are delivered or dropped, or when one fails. */
  readonly callers: (() => void)[] = [];
  #owner: CallOwner;
  #events: JobEvent["body"][] = [];
  /** Index of the first undelivered event. */
  #next = 0;

  constructor(source: Omit<EventSource, "tool">) {
    this.id = source.id;
    this.#owner = ownerOf(source);
  }

  /** Returns the token and the attempt under which the events are sent. */
  get owner(): CallOwner {
    return this.#owner;
  }

  get first(): JobEvent["body"] | undefined {
    return this.#events[this.#next];
  }

  get length(): number {
    return this.#events.length - this.#next;
  }

  /** Returns the undelivered events. */
  waiting(): JobEvent["body"][] {
    return this.#events.slice(this.#next);
  }

  push(body: JobEvent["body"]): void {
    this.#events.push(body);
  }

  /** Removes the first event after its delivery. */
  pass(): void {
    this.#next++;
    // Delivered events are removed, since a job may report for hours.
    if (this.#next < cutAt) return;
    this.#events.splice(0, this.#next);
    this.#next = 0;
  }

  /** True when the source belongs to another attempt. Grants are immutable, so the same object is the same attempt. */
  isOther({ attempt, authorization }: EventSource): boolean {
    return this.#owner.attempt !== attempt || this.#owner.authorization !== authorization;
  }

  /** Switches to another attempt, and drops undelivered events of the earlier attempt. */
  begin(source: EventSource): void {
    this.#owner = ownerOf(source);
    this.#events = [];
    this.#next = 0;
    this.lost = 0;
    this.isSaved = false;
    this.pause?.abort();
  }

  tellCallers(): void {
    for (const resolve of this.callers.splice(0)) resolve();
  }

  tellWaiters(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  /** Drops all undelivered events. @param isEnd True when the process ends, so that saved ones are not lost */
  giveUp(isEnd: boolean): void {
    if (!isEnd || !this.isSaved) this.lost += this.length;
    this.#next = this.#events.length;
  }
}

/** Copies two fields: the source holds the job's input, and events may outlive the job. */
function ownerOf({ authorization, attempt }: CallOwner): CallOwner {
  return { authorization, attempt };
}
