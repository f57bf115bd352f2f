import type { JobEvent, JobUrn } from "../../../job/job.ts";
import type { CallOwner } from "../sidecar/call-owner.ts";
import type { EventSource } from "../../../job/sink.ts";
import type { EventAmount } from "./event-room.ts";

/** Number of delivered events after which they are removed from the list. */
const cutAt = 256;

interface Entry {
  readonly body: JobEvent["body"];
  readonly size: number;
}

/** The undelivered events of one job, and the callers that wait for them. */
export class EventQueue {
  readonly id: JobUrn;
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
  /** Delivered events at the beginning, as undefined, then the others. */
  #events: (Entry | undefined)[] = [];
  /** Size of the undelivered events. */
  #size = 0;
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
    return this.#events[this.#next]?.body;
  }

  /** Returns the undelivered events. */
  waiting(): JobEvent["body"][] {
    return this.#events.flatMap((entry) => (entry === undefined ? [] : [entry.body]));
  }

  push(body: JobEvent["body"], size: number): void {
    this.#events.push({ body, size });
    this.#size += size;
  }

  /** Removes the first event after its delivery. Returns its amount. */
  pass(): EventAmount {
    const size = this.#events[this.#next]?.size ?? 0;
    this.#size -= size;
    this.#events[this.#next++] = undefined;
    // Delivered events are removed, since a job may report for hours.
    if (this.#next >= cutAt) {
      this.#events.splice(0, this.#next);
      this.#next = 0;
    }
    return { count: 1, size };
  }

  /** Removes all undelivered events. Returns their amount. */
  drop(): EventAmount {
    const amount = { count: this.#events.length - this.#next, size: this.#size };
    this.#events = [];
    this.#next = 0;
    this.#size = 0;
    return amount;
  }

  /** True when the source belongs to another attempt. Grants are immutable, so the same object is the same attempt. */
  isOther({ attempt, authorization }: EventSource): boolean {
    return this.#owner.attempt !== attempt || this.#owner.authorization !== authorization;
  }

  /** Switches to another attempt, which begins without events. */
  begin(source: EventSource): void {
    this.#owner = ownerOf(source);
    this.isSaved = false;
    this.pause?.abort();
  }

  tellCallers(): void {
    for (const resolve of this.callers.splice(0)) resolve();
  }

  tellWaiters(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }
}

/** Copies two fields: the source holds the job's input, and events may outlive the job. */
function ownerOf({ authorization, attempt }: CallOwner): CallOwner {
  return { authorization, attempt };
}
