import type { JsonObject } from "../contract/contract.ts";
import { roughSize } from "./rough-size.ts";

/** Maximum number of events that a job keeps for late readers. */
const mostEvents = 1000;
/** Maximum characters of these events, approximately, because an event may contain whatever its author reports. */
const mostCharacters = 4 * 1024 * 1024;

/** The latest events of a job, bounded by number and size. The oldest are dropped, and the numbering shows the gap. */
export class EventWindow<Event> {
  readonly #bodyOf: (event: Event) => JsonObject;
  readonly #events: Event[] = [];
  readonly #sizes: number[] = [];
  #size = 0;

  constructor(bodyOf: (event: Event) => JsonObject, events: readonly Event[] = []) {
    this.#bodyOf = bodyOf;
    for (const event of events) this.push(event);
  }

  /** The events, the oldest first. */
  get events(): readonly Event[] {
    return this.#events;
  }

  push(event: Event): void {
    const size = roughSize(this.#bodyOf(event));
    this.#events.push(event);
    this.#sizes.push(size);
    this.#size += size;
    // The last event stays, however large it is.
    while (this.#events.length > mostEvents || (this.#size > mostCharacters && this.#events.length > 1)) {
      this.#events.shift();
      this.#size -= this.#sizes.shift() ?? 0;
    }
  }
}
