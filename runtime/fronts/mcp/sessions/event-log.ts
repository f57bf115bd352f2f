/** Bytes of memory that a message takes besides its JSON: its entry and its ids. */
const perMessage = 400;

/** A message that was sent on a stream of a session. */
interface Sent {
  readonly session: string;
  readonly stream: string;
  /** The message as JSON, since an object may take 20 times as much memory. */
  readonly json: Buffer;
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
  /** No older message is stored. Searching the map for its first entry would pass all that were deleted before. */
  #first = 1;
  #last = 0;

  /** @param most Maximum bytes of memory for all sessions. */
  constructor(most: number) {
    this.#most = most;
  }

  of(session: string): SessionEvents {
    let own: number[] = [];
    /** Length of `own` at which it is cleaned: so rarely that the cost of a message does not grow. */
    let fullAt = 64;
    const find = (id: string): Sent | undefined => {
      const sent = /^\d{1,15}$/.test(id) ? this.#sent.get(Number(id)) : undefined;
      return sent?.session === session ? sent : undefined;
    };
    return {
      store: (stream, message) => {
        const json = Buffer.from(JSON.stringify(message));
        const number = ++this.#last;
        own.push(number);
        this.#sent.set(number, { session, stream, json });
        this.#bytes += json.byteLength + perMessage;
        this.#trim();
        if (own.length >= fullAt) {
          own = own.filter((at) => this.#sent.has(at));
          fullAt = Math.max(64, own.length * 2);
        }
        return String(number);
      },
      streamOf: (id) => find(id)?.stream,
      after: (id) => {
        const stream = find(id)?.stream;
        if (stream === undefined) return undefined;
        const later = own.filter((number) => number > Number(id) && this.#sent.get(number)?.stream === stream);
        return later.map((number) => {
          const json = this.#sent.get(number)?.json.toString() ?? "{}";
          return [String(number), JSON.parse(json) as object] as const;
        });
      },
      clear: () => {
        for (const number of own) this.#forget(number);
        own = [];
      },
    };
  }

  #trim(): void {
    for (; this.#bytes > this.#most; this.#first++) this.#forget(this.#first);
  }

  #forget(number: number): void {
    const sent = this.#sent.get(number);
    if (sent === undefined) return;
    this.#bytes -= sent.json.byteLength + perMessage;
    this.#sent.delete(number);
  }
}
