import type { JobEvent, JobUrn } from "../../../job/job.ts";
import type { CallOwner } from "../sidecar/call-owner.ts";
import type { EventSource } from "../../../job/sink.ts";

/** Events that have gone and may stand in the list until they are cut off. */
const cutAt = 256;

/** The events of one job that wait for delivery, and who waits for them. */
export class EventQueue {
  readonly id: JobUrn;
  lost = 0;
  /** Somebody waits for the end since then; milliseconds. */
  awaitedSince: number | undefined;
  /** Ends the pause after a failure. */
  pause: AbortController | undefined;
  readonly waiters: (() => void)[] = [];
  /** Callers, who do not wait longer than until the first failure. */
  readonly callers: (() => void)[] = [];
  #owner: CallOwner;
  #events: JobEvent["body"][] = [];
  /** Index of the first that waits. */
  #next = 0;

  constructor(source: EventSource) {
    this.id = source.id;
    this.#owner = ownerOf(source);
  }

  /** Under whose token and attempt the events go out. */
  get owner(): CallOwner {
    return this.#owner;
  }

  get first(): JobEvent["body"] | undefined {
    return this.#events[this.#next];
  }

  get length(): number {
    return this.#events.length - this.#next;
  }

  push(body: JobEvent["body"]): void {
    this.#events.push(body);
  }

  /** The first has gone. */
  pass(): void {
    this.#next++;
    // A job that reports for hours must not keep all that it has said.
    if (this.#next < cutAt) return;
    this.#events.splice(0, this.#next);
    this.#next = 0;
  }

  /** Whether the source speaks under another attempt. Grants are never changed, so the same object is the same attempt. */
  isOther({ attempt, authorization }: EventSource): boolean {
    return this.#owner.attempt !== attempt || this.#owner.authorization !== authorization;
  }

  /** Another attempt speaks from now on: what waits of the earlier one is nobody's any more. */
  begin(source: EventSource): void {
    this.#owner = ownerOf(source);
    this.#events = [];
    this.#next = 0;
    this.lost = 0;
    this.pause?.abort();
  }

  tellCallers(): void {
    for (const resolve of this.callers.splice(0)) resolve();
  }

  tellWaiters(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  /** What waits is lost. */
  giveUp(): void {
    this.lost += this.length;
    this.#next = this.#events.length;
  }
}

/** Not the source itself: it holds the job's input, and events may outlive the job. */
function ownerOf({ authorization, attempt }: EventSource): CallOwner {
  return { authorization, attempt };
}
