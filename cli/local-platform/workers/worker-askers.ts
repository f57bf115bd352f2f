/** Milliseconds after which a worker that does not poll any more is forgotten. */
const patience = 60_000;
const mostKnown = 1000;

interface Asker {
  readonly service: string;
  /** Name of a worker that runs under the platform. */
  readonly worker: string | undefined;
  readonly address: string;
  askedAt: number;
}

/** Remembers which workers polled for jobs, to show them to people. */
export class WorkerAskers {
  readonly #known = new Map<string, Asker>();

  /**
   * Records a poll.
   *
   * @param address Address and port of the worker's connection
   */
  asked(service: string, worker: string | undefined, address: string): void {
    const key = `${service} ${worker ?? address}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      known.askedAt = Date.now();
      return;
    }
    if (this.#known.size >= mostKnown) this.#forgetOld();
    if (this.#known.size < mostKnown) this.#known.set(key, { service, worker, address, askedAt: Date.now() });
  }

  /** Workers that polled in the last minute, the latest first. */
  list(): readonly object[] {
    this.#forgetOld();
    return [...this.#known.values()]
      .toSorted((one, other) => other.askedAt - one.askedAt)
      .map(({ service, worker, address, askedAt }) => ({
        service,
        "started-here": worker !== undefined,
        address,
        "asked-at": new Date(askedAt).toISOString(),
      }));
  }

  #forgetOld(): void {
    const oldest = Date.now() - patience;
    for (const [key, { askedAt }] of this.#known) if (askedAt < oldest) this.#known.delete(key);
  }
}
