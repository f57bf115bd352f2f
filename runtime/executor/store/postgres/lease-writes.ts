import type { StepWrite } from "../../../job/steps/kept-step.ts";
import type { Lease, WriteAnswer } from "../job-store.ts";
import { untilAnswered } from "../until-answered.ts";
import type { EventText, Gathered } from "./gathered-verb.ts";

/** Number of characters above which a statement takes no more input. */
const enough = 256 * 1024;

export interface LeaseWritesOptions {
  readonly write: (gathered: Gathered) => Promise<WriteAnswer>;
  /** Signal that is aborted when the store is closed, which ends the retries. */
  readonly closed: AbortSignal;
}

/** The queue of writes of one lease. */
interface Line {
  /** Promise of the last write in the queue. */
  last: Promise<unknown>;
  /** Events and steps of a statement that has not begun. */
  open: { readonly gathered: Gathered; readonly answer: Promise<WriteAnswer> } | undefined;
}

/**
 * Queues the writes of each lease. Each write is retried until the server has accepted or refused it: an outcome must
 * not be written before the events of its job, and callers must not see a state that the server does not have later.
 */
export class LeaseWrites {
  readonly #options: LeaseWritesOptions;
  /** Queues by the token of the lease. */
  readonly #lines = new Map<string, Line>();

  constructor(options: LeaseWritesOptions) {
    this.#options = options;
  }

  /**
   * Adds events and steps. Whatever a job reports and stores before its statement begins shares the statement, so that
   * a step and the events around it wait for the disk once.
   */
  add(
    lease: Lease,
    { events = [], steps = [] }: { readonly events?: readonly EventText[]; readonly steps?: readonly StepWrite[] },
  ): Promise<WriteAnswer> {
    const length =
      events.reduce((sum, { body }) => sum + body.length, 0) +
      steps.reduce((sum, { value = "" }) => sum + value.length, 0);
    const open = this.#lines.get(lease.token)?.open;
    if (open !== undefined && !open.gathered.isTaken && open.gathered.length + length <= enough) {
      open.gathered.events.push(...events);
      open.gathered.steps.push(...steps);
      open.gathered.length += length;
      return open.answer;
    }
    const gathered: Gathered = { lease, events: [...events], steps: [...steps], length, isTaken: false };
    const answer = this.write(lease, () => this.#options.write(gathered));
    const own = this.#lines.get(lease.token);
    if (own !== undefined) own.open = { gathered, answer };
    return answer;
  }

  /** Writes after all earlier writes of the lease. */
  write(lease: Lease, run: () => Promise<WriteAnswer>): Promise<WriteAnswer> {
    const { token } = lease;
    const line = this.#lines.get(token);
    // If the lease has no earlier write, this write shares a statement with the other calls of this turn of the event
    // loop.
    const answer = line === undefined ? this.#untilAnswered(run) : line.last.then(() => this.#untilAnswered(run));
    const next: Line = { last: answer.catch(() => {}), open: undefined };
    this.#lines.set(token, next);
    void next.last.then(() => this.#lines.get(token) === next && this.#lines.delete(token));
    return answer;
  }

  #untilAnswered(run: () => Promise<WriteAnswer>): Promise<WriteAnswer> {
    const { closed } = this.#options;
    return untilAnswered(run, () => closed.aborted, closed);
  }
}
