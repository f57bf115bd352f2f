import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Maximum milliseconds of one transaction, so that it does not block the event loop. */
const batchBudget = 8;
/**
 * Maximum number of operations that are retried one by one after a failed transaction, since each retry waits for the
 * disk.
 */
const aloneAtOnce = 64;
/** Number of operations between two reads of the clock: a read costs as much as a small operation. */
const clockStride = 16;

interface Operation {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  answer?: unknown;
}

export interface GroupCommitHooks {
  /** Runs inside each transaction, after its operations. */
  readonly beforeCommit: () => void;
  /** Called after each commit, before its operations resolve. */
  readonly committed: () => void;
  /** Called after a rollback, since values that were cached from the tables may be wrong then. */
  readonly rolledBack: () => void;
  readonly toError: (error: unknown) => unknown;
}

/**
 * Runs the operations of one turn of the event loop in order, in one transaction; their promises resolve after the
 * commit. A commit waits for the disk, so a durable store is fast only if operations share commits.
 */
export class GroupCommit {
  readonly #hooks: GroupCommitHooks;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  #waiting: Operation[] = [];
  #scheduled = false;
  /** Duration of the last commit in milliseconds. */
  #lastCommit = 0;
  /** Time at which the last commit ended. */
  #lastEnd = 0;
  #idle: (() => void) | undefined;

  constructor(database: DatabaseSync, hooks: GroupCommitHooks) {
    this.#hooks = hooks;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#rollback = database.prepare("ROLLBACK");
  }

  /** True when nothing is pending: a read sees committed data. */
  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Runs `operation` inside the next transaction. It must have no effects except on rows, since it may run twice. */
  run<T>(operation: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run: operation, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing is pending. */
  async drained(): Promise<void> {
    if (this.empty) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // On a slow disk, commits are delayed to collect more operations, so that they block the event loop for at most
    // half of the time. An operation that comes later than that does not wait.
    const rest = this.#lastCommit < 2 ? 0 : this.#lastEnd + Math.min(this.#lastCommit, 100) - performance.now();
    if (rest <= 0) setImmediate(() => this.#flush());
    else setTimeout(() => this.#flush(), rest);
  }

  #flush(): void {
    this.#scheduled = false;
    const batch = this.#waiting;
    const done = this.#tryTransaction(batch, performance.now() + batchBudget);
    if (typeof done === "number") {
      this.#waiting = batch.slice(done);
      for (let index = 0; index < done; index++) batch[index]?.resolve(batch[index]?.answer as never);
    } else {
      this.#waiting = batch.slice(aloneAtOnce);
      // One of the operations has caused the error, so they are run one by one: the others must not fail too.
      for (const operation of batch.slice(0, aloneAtOnce)) {
        this.#runAlone(operation, batch.length === 1 ? done : undefined);
      }
    }
    if (!this.empty) this.#schedule();
    else if (this.#idle !== undefined) {
      this.#idle();
      this.#idle = undefined;
    }
  }

  #runAlone(operation: Operation, failed: { readonly error: unknown } | undefined): void {
    const done = failed ?? this.#tryTransaction([operation], Infinity);
    if (typeof done === "number") operation.resolve(operation.answer as never);
    else operation.reject(this.#hooks.toError(done.error));
  }

  /** Returns the number of committed operations, from the first, or the error. */
  #tryTransaction(batch: readonly Operation[], until: number): number | { readonly error: unknown } {
    let count = 0;
    let begun = false;
    try {
      this.#begin.run();
      begun = true;
      for (const operation of batch) {
        operation.answer = operation.run();
        count++;
        if (count % clockStride === 0 && performance.now() > until) break;
      }
      this.#hooks.beforeCommit();
      const started = performance.now();
      this.#commit.run();
      this.#lastEnd = performance.now();
      this.#lastCommit = this.#lastEnd - started;
    } catch (error) {
      if (begun) this.#undo();
      return { error };
    }
    this.#hooks.committed();
    return count;
  }

  #undo(): void {
    try {
      this.#rollback.run();
    } catch {
      // The error is ignored: the rollback fails if SQLite has already rolled back, for example because of a full disk.
    }
    this.#hooks.rolledBack();
  }
}
