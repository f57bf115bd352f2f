import type { JsonObject } from "../contract/contract.ts";
import type { JobEvent } from "./transport.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** A notification of progress. A tenon service adds the event that it reports. */
interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Events of a job in this process, for readers that start now or later. */
export class EventLog {
  readonly #events: JobEvent[] = [];
  #isOver = false;
  #changed = Promise.withResolvers<void>();

  /** Adds a notification of progress. */
  add({ _meta, ...progress }: Progress): void {
    const event = _meta?.["platform/event"];
    // For servers that are not tenon services, the event consists of the progress itself.
    const data: JsonObject = Object(event) === event ? (event as JsonObject) : { ...progress };
    const schema = data["$schema"];
    this.push({ id: this.#events.length + 1, schema: typeof schema === "string" ? schema : "", data });
  }

  push(event: JobEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  /** Called when the job has ended. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Yields the events after number `after` until the job ends. */
  async *read(after: number, signal: AbortSignal | undefined): AsyncGenerator<JobEvent, void, undefined> {
    for (let next = 0; ;) {
      const { promise } = this.#changed;
      const event = this.#events[next];
      if (event !== undefined) {
        next++;
        if (event.id > after) yield event;
      } else if (this.#isOver) return;
      else await unlessAborted(promise, signal);
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
