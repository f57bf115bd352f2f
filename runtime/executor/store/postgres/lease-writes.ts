import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../../../base/errors.ts";
import type { Lease, StoredEvent, WriteAnswer } from "../job-store.ts";

/** Milliseconds for which a write is repeated while the server cannot be reached; a failover takes minutes. */
const patience = 300_000;
const pause = 500;

export interface LeaseWritesOptions {
  readonly progress: (lease: Lease, events: readonly StoredEvent[]) => Promise<WriteAnswer>;
  /** Ends the repetitions. */
  readonly closed: AbortSignal;
}

/** The writes of one lease. */
interface Line {
  /** Ends with the last write. */
  last: Promise<unknown>;
  /** Events that go with the next statement. */
  next: { readonly events: StoredEvent[]; readonly answer: Promise<WriteAnswer> } | undefined;
}

/**
 * The writes of each lease one after the other, repeated until the server has taken or refused them: an outcome must
 * not come before the events of its job, and no caller may see a state that the server then does not have.
 */
export class LeaseWrites {
  readonly #options: LeaseWritesOptions;
  /** By the token of the lease. */
  readonly #lines = new Map<string, Line>();

  constructor(options: LeaseWritesOptions) {
    this.#options = options;
  }

  /** Adds events; those that come while an earlier write is under way share the next statement. */
  progress(lease: Lease, events: readonly StoredEvent[]): Promise<WriteAnswer> {
    const line = this.#lines.get(lease.token);
    if (line === undefined) return this.write(lease, () => this.#options.progress(lease, events));
    if (line.next !== undefined) {
      line.next.events.push(...events);
      return line.next.answer;
    }
    const gathered = [...events];
    const answer = this.write(lease, () => {
      const current = this.#lines.get(lease.token);
      if (current?.next?.events === gathered) current.next = undefined;
      return this.#options.progress(lease, gathered);
    });
    const own = this.#lines.get(lease.token);
    if (own !== undefined) own.next = { events: gathered, answer };
    return answer;
  }

  /** Writes behind all earlier writes of the lease. */
  write(lease: Lease, run: () => Promise<WriteAnswer>): Promise<WriteAnswer> {
    const { token } = lease;
    const line = this.#lines.get(token);
    // Without an earlier write it shares a statement with the calls of this turn.
    const answer = line === undefined ? this.#untilAnswered(run) : line.last.then(() => this.#untilAnswered(run));
    const next: Line = { last: answer.catch(() => {}), next: undefined };
    this.#lines.set(token, next);
    void next.last.then(() => this.#lines.get(token) === next && this.#lines.delete(token));
    return answer;
  }

  async #untilAnswered(run: () => Promise<WriteAnswer>): Promise<WriteAnswer> {
    const { closed } = this.#options;
    for (const until = performance.now() + patience; ;) {
      try {
        return await run();
      } catch (error) {
        const mayPass = error instanceof ToolError && error.kind === "overloaded";
        if (!mayPass || closed.aborted || performance.now() > until) throw error;
        await sleep(pause, undefined, { ref: false, signal: closed }).catch(() => {});
      }
    }
  }
}
