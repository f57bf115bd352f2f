export interface BatchQueueOptions<T> {
  /** Sends a batch; rejects when it did not arrive. */
  readonly send: (batch: T[]) => Promise<void>;
  /** Called for each item that is dropped because the queue is full. */
  readonly onDrop: () => void;
  readonly maxQueue?: number;
  readonly maxBatch?: number;
  /** Milliseconds that an item waits for others, to be sent in one batch. */
  readonly delay?: number;
}

const defaults = { maxQueue: 2048, maxBatch: 512, delay: 1000 };

/**
 * Collects items and sends them in batches, one batch at a time. While the queue is full, new items are dropped and
 * counted: `add` never waits, however slow the receiver is.
 */
export class BatchQueue<T> {
  readonly #options: Required<BatchQueueOptions<T>>;
  #items: T[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #closed = false;

  constructor(options: BatchQueueOptions<T>) {
    this.#options = { ...defaults, ...options };
  }

  /** Adds an item, or drops it. */
  add(item: T): void {
    const { maxQueue, maxBatch, delay, onDrop } = this.#options;
    if (this.#closed || this.#items.length >= maxQueue) {
      onDrop();
      return;
    }
    this.#items.push(item);
    if (this.#sending !== undefined) return;
    if (this.#items.length === maxBatch) {
      // Deferred, so that the job that adds the last item does not wait until the batch is encoded.
      setImmediate(() => void this.#send());
    } else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => void this.#send(), delay);
      this.#timer.unref();
    }
  }

  /** Resolves when all current items have been sent or lost. Never rejects. */
  async flush(): Promise<void> {
    await this.#sending;
    while (this.#items.length > 0) await this.#send();
  }

  /** Sends the remaining items and takes no more. */
  close(): Promise<void> {
    this.#closed = true;
    return this.flush();
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#sending ??= this.#drain());
  }

  /** Sends one batch, and more as long as there are full ones. */
  async #drain(): Promise<void> {
    const { maxBatch, send } = this.#options;
    do {
      const batch = this.#items.splice(0, maxBatch);
      try {
        await send(batch);
      } catch {
        // `send` has counted the failure. The batch is lost; keeping it would only fill the memory.
      }
    } while (this.#items.length >= maxBatch);
    this.#sending = undefined;
    const [first] = this.#items;
    if (first !== undefined && !this.#closed) {
      this.#timer = setTimeout(() => void this.#send(), this.#options.delay);
      this.#timer.unref();
    }
  }
}
