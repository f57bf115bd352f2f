import { SilenceError } from "./connection/postgres-error.ts";

/** Maximum number of calls, and of bytes of their values, in one statement. */
const maxCalls = 500;
const maxBytes = 4 * 1024 * 1024;

/** A method of the store: its calls are combined, and run as one statement. */
export interface Verb<I, O> {
  /** Name of the method. Calls with the same key are combined. */
  readonly key: string;
  /** Returns the jobs and idempotency keys that a call is about. */
  touches(input: I): readonly string[];
  /** True for a call that may concern any job, so that its order among all other calls matters. */
  readonly isOpen?: (input: I) => boolean;
  /**
   * Keys of methods that an open call of this method does not affect, so that their calls may run before or after it.
   */
  readonly passes?: readonly string[];
  /** True when calls about different jobs may also run in two statements at the same time. */
  readonly isParallel?: boolean;
  /** True if one statement may contain several calls about the same job; all of them get the same answer. */
  readonly isShared?: boolean;
  readonly bytes?: (input: I) => number;
  /** Runs the calls; answers are in the order of the calls. */
  run(inputs: readonly I[]): Promise<readonly O[]>;
}

export interface BatchHooks {
  /** Patience of calls that give none. */
  readonly patience?: number;
  readonly toError: (error: unknown) => unknown;
  /** True for an error that is not caused by a single call, so that every other call would fail too. */
  readonly isGeneral: (error: unknown) => boolean;
}

/** Maximum number of statements at a time: the server runs one while this process prepares the next. */
const maxRunning = 2;
/** Number of calls up to which a statement is not divided into two that run at the same time. */
const minShare = 10;

/**
 * Runs the calls of a store in batches. The calls of one method are combined to a statement. Two statements of parallel
 * methods run at the same time, as long as the effect is the same as if all calls ran one after the other.
 */
export class OrderedBatches {
  readonly #hooks: BatchHooks;
  readonly #waiting: Batch[] = [];
  readonly #running = new Map<Batch, Promise<void>>();
  #begins: Promise<void> | undefined;

  constructor(hooks: BatchHooks) {
    this.#hooks = hooks;
  }

  /**
   * Calls a method.
   *
   * @param patience Milliseconds until the call is rejected, wherever it is by then; it does not begin any more
   */
  call<I, O>(verb: Verb<I, O>, input: I, patience = this.#hooks.patience): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      const call: Call = { input, resolve: resolve as (value: unknown) => void, reject, isLate: false };
      if (patience !== undefined) this.#limit(call, patience);
      this.#place(verb as unknown as Verb<unknown, unknown>, call);
      this.#beginSoon();
    });
  }

  /** Rejects a call at its end of patience, since it may wait behind statements that wait for a silent server. */
  #limit(call: Call, patience: number): void {
    const { resolve, reject } = call;
    const timer = setTimeout(() => {
      call.isLate = true;
      reject(this.#hooks.toError(new SilenceError()));
    }, patience);
    call.resolve = (value) => {
      clearTimeout(timer);
      resolve(value);
    };
    call.reject = (reason) => {
      clearTimeout(timer);
      reject(reason);
    };
  }

  /** Resolves when nothing is pending. */
  async drained(): Promise<void> {
    while (this.#begins !== undefined || this.#running.size > 0) {
      await Promise.all([this.#begins, ...this.#running.values()]);
    }
  }

  /**
   * Adds a call to the last batch of its method, unless a later call depends on that batch; otherwise to a new batch.
   */
  #place(verb: Verb<unknown, unknown>, call: Call): void {
    const touches = verb.touches(call.input);
    const isOpen = verb.isOpen?.(call.input) ?? false;
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const batch = this.#waiting[at];
      if (batch?.verb.key === verb.key && batch.add(call, touches, isOpen)) return;
      if (batch === undefined || batch.conflicts(verb, touches, isOpen)) break;
    }
    const batch = new Batch(verb);
    batch.add(call, touches, isOpen);
    this.#waiting.push(batch);
  }

  /**
   * Begins waiting batches at the end of the turn of the event loop, so that all calls of the turn share statements:
   * also those of jobs that go on after the answer of an earlier batch.
   */
  #beginSoon(): void {
    if (this.#running.size >= maxRunning) return;
    this.#begins ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.#begins = undefined;
      this.#begin();
    });
  }

  #begin(): void {
    // Each statement takes half of the calls: if one took all, the process and the server would wait for each other.
    const calls = [...this.#running.keys(), ...this.#waiting].reduce((sum, batch) => sum + batch.calls.length, 0);
    const share = Math.max(minShare, Math.ceil(calls / maxRunning));
    const waiting = this.#waiting.splice(0).flatMap((batch) => batch.divided(share));
    for (const batch of waiting) {
      const earlier = [...this.#running.keys(), ...this.#waiting];
      if (this.#running.size >= maxRunning || earlier.some((one) => one.precedes(batch))) this.#waiting.push(batch);
      else
        this.#running.set(
          batch,
          this.#runBatch(batch).then(() => this.#ended(batch)),
        );
    }
  }

  #ended(batch: Batch): void {
    this.#running.delete(batch);
    if (this.#waiting.length > 0) this.#beginSoon();
  }

  async #runBatch({ verb, calls: all }: Batch): Promise<void> {
    const calls = all.filter(({ isLate }) => !isLate);
    if (calls.length === 0) return;
    try {
      const answers = await verb.run(calls.map(({ input }) => input));
      for (const [index, call] of calls.entries()) call.resolve(answers[index]);
    } catch (error) {
      if (calls.length === 1 || this.#hooks.isGeneral(error)) {
        const reason = this.#hooks.toError(error);
        for (const call of calls) call.reject(reason);
        return;
      }
      // One of the calls has caused the error, so each is repeated alone: the others must not fail too.
      for (const call of calls) {
        const alone = new Batch(verb);
        alone.calls.push(call);
        await this.#runBatch(alone);
      }
    }
  }
}

interface Call {
  readonly input: unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** True if it was rejected at the end of its patience. */
  isLate: boolean;
}

/** Calls that share one statement. */
class Batch {
  readonly verb: Verb<unknown, unknown>;
  readonly calls: Call[] = [];
  readonly #touched = new Set<string>();
  #bytes = 0;
  #isOpen = false;

  constructor(verb: Verb<unknown, unknown>) {
    this.verb = verb;
  }

  /** Adds a call. False if the batch is full, or has a call about the same job. */
  add(call: Call, touches: readonly string[], isOpen: boolean): boolean {
    const bytes = this.verb.bytes?.(call.input) ?? 0;
    const isFull = this.calls.length >= maxCalls || (this.calls.length > 0 && this.#bytes + bytes > maxBytes);
    if (isFull || (this.verb.isShared !== true && this.#overlaps(touches))) return false;
    this.calls.push(call);
    this.#bytes += bytes;
    this.#isOpen ||= isOpen;
    for (const one of touches) this.#touched.add(one);
    return true;
  }

  /** True when a call of another method must not run before this batch. */
  conflicts(verb: Verb<unknown, unknown>, touches: readonly string[], isOpen: boolean): boolean {
    return ((isOpen || this.#isOpen) && !this.#isApart(verb)) || this.#overlaps(touches);
  }

  /** Returns batches of at most `share` calls with the same effect; they can run at the same time. */
  divided(share: number): readonly Batch[] {
    if (this.calls.length <= share || this.verb.isParallel !== true) return [this];
    const parts: Batch[] = [];
    for (const [index, call] of this.calls.entries()) {
      if (index % share === 0) parts.push(new Batch(this.verb));
      parts.at(-1)?.add(call, this.verb.touches(call.input), false);
    }
    return parts;
  }

  /** True when a later batch must not begin before this one has ended. */
  precedes(later: Batch): boolean {
    const isParallel = this.verb.isParallel === true || later.verb.isParallel === true;
    return !isParallel || this.conflicts(later.verb, [...later.#touched], later.#isOpen);
  }

  #isApart({ key, passes = [] }: Verb<unknown, unknown>): boolean {
    return key === this.verb.key || passes.includes(this.verb.key) || (this.verb.passes ?? []).includes(key);
  }

  #overlaps(touches: readonly string[]): boolean {
    return touches.some((one) => this.#touched.has(one));
  }
}
