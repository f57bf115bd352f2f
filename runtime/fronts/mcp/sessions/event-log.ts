/** A message that was sent on a stream of a session. */
interface Sent {
  readonly session: string;
  readonly stream: string;
  readonly message: object;
  readonly bytes: number;
}

/** Messages of one session, by ids that grow. */
export interface SessionEvents {
  /** Stores a message; returns its id. */
  store(stream: string, message: object): string;
  streamOf(id: string): string | undefined;
  /**
   * Returns the messages of the same stream that were sent after a message. Undefined for an unknown or forgotten id.
   */
  after(id: string): readonly (readonly [id: string, message: object])[] | undefined;
  /** Forgets all messages of the session. */
  clear(): void;
}

/** Messages of all sessions for clients that reconnect: the newest ones, up to a total number of bytes. */
export class EventLog {
  readonly #sent = new Map<number, Sent>();
  readonly #most: number;
  #bytes = 0;
  #last = 0;

  /** @param most Maximum bytes of JSON for all sessions. */
  constructor(most: number) {
    this.#most = most;
  }

  of(session: string): SessionEvents {
    const own = new Set<number>();
    const find = (id: string): Sent | undefined => {
      const sent = /^\d{1,15}$/.test(id) ? this.#sent.get(Number(id)) : undefined;
      return sent?.session === session ? sent : undefined;
    };
    return {
      store: (stream, message) => {
        const bytes = JSON.stringify(message).length;
        const number = ++this.#last;
        for (const at of own) if (!this.#sent.has(at)) own.delete(at);
        own.add(number);
        this.#sent.set(number, { session, stream, message, bytes });
        this.#bytes += bytes;
        this.#trim();
        return String(number);
      },
      streamOf: (id) => find(id)?.stream,
      after: (id) => {
        const stream = find(id)?.stream;
        if (stream === undefined) return undefined;
        const later = [...own].filter((number) => number > Number(id) && this.#sent.get(number)?.stream === stream);
        return later.map((number) => [String(number), this.#sent.get(number)?.message ?? {}] as const);
      },
      clear: () => {
        for (const number of own) this.#forget(number);
        own.clear();
      },
    };
  }

  #trim(): void {
    for (const number of this.#sent.keys()) {
      if (this.#bytes <= this.#most) return;
      this.#forget(number);
    }
  }

  #forget(number: number): void {
    const sent = this.#sent.get(number);
    if (sent === undefined) return;
    this.#bytes -= sent.bytes;
    this.#sent.delete(number);
  }
}
