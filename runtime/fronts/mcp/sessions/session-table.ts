/** A session of one client. */
export interface Session<T> {
  readonly id: string;
  /** The caller that began the session; undefined if callers are not authenticated. */
  readonly owner: string | undefined;
  readonly value: T;
}

interface Entry<T> extends Session<T> {
  /** Milliseconds of the clock at the last request. */
  usedAt: number;
  /** Number of open requests and streams. */
  open: number;
}

export interface SessionLimits {
  /** Maximum number of sessions at the same time. */
  readonly most: number;
  /** Milliseconds after which a session without requests and streams ends. */
  readonly idle: number;
  /**
   * Milliseconds until a session expires that had only its first request. A second request proves that the client has
   * received the session id.
   */
  readonly unconfirmed: number;
}

/**
 * Share of the table for sessions that wait for their second request. Without it, in a table full of used sessions each
 * new client would end the session of the one before.
 */
const beginnings = 1 / 8;

/** The sessions of a service by id. Only the caller that began a session can find it. */
export class SessionTable<T> {
  // Sessions in the order of their last use, the oldest first.
  readonly #entries = new Map<string, Entry<T>>();
  /** Sessions that have not had a second request. */
  readonly #unconfirmed = new Map<string, Entry<T>>();
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #onEnd: (session: Session<T>) => void;

  /** @param onEnd Called once for each session that ends. */
  constructor(limits: SessionLimits, now: () => number, onEnd: (session: Session<T>) => void) {
    this.#limits = limits;
    this.#now = now;
    this.#onEnd = onEnd;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Adds a session. Returns false when the table is full and all sessions are in use. */
  add(session: Session<T>): boolean {
    this.endIdle();
    if (this.#entries.size >= this.#limits.most && !this.#makeRoom(session.owner)) return false;
    const entry = { ...session, usedAt: this.#now(), open: 0 };
    this.#entries.set(session.id, entry);
    this.#unconfirmed.set(session.id, entry);
    return true;
  }

  /** Finds a session and counts a use of it; `release` ends the use. Undefined also for a session of another caller. */
  use(id: string, owner: string | undefined): { readonly value: T; readonly release: () => void } | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.owner !== owner) return undefined;
    if (entry.open === 0 && this.#isIdle(entry)) {
      this.end(id);
      return undefined;
    }
    this.#unconfirmed.delete(id);
    entry.open += 1;
    this.#touch(entry);
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      entry.open -= 1;
      if (this.#entries.get(id) === entry) this.#touch(entry);
    };
    return { value: entry.value, release };
  }

  end(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#unconfirmed.delete(id);
    this.#onEnd(entry);
  }

  /** Ends sessions that were not used for too long. */
  endIdle(): void {
    for (const entry of this.#unconfirmed.values()) {
      if (this.#now() - entry.usedAt < this.#limits.unconfirmed) break;
      this.end(entry.id);
    }
    for (const entry of this.#entries.values()) {
      if (!this.#isIdle(entry)) break;
      if (entry.open === 0) this.end(entry.id);
    }
  }

  *[Symbol.iterator](): Generator<Session<T>> {
    yield* this.#entries.values();
  }

  #isIdle({ usedAt }: Entry<T>): boolean {
    return this.#now() - usedAt >= this.#limits.idle;
  }

  #touch(entry: Entry<T>): void {
    entry.usedAt = this.#now();
    this.#entries.delete(entry.id);
    this.#entries.set(entry.id, entry);
  }

  /**
   * Ends the oldest session without an open request: preferably a session that its client never used, if there are many
   * of these, then a session of the same caller, then any. So a flood of new sessions ends its own sessions first.
   */
  #makeRoom(owner: string | undefined): boolean {
    const [unused] = this.#unconfirmed.keys();
    if (unused !== undefined && this.#unconfirmed.size > Math.floor(this.#limits.most * beginnings)) {
      this.end(unused);
      return true;
    }
    let ofOwner: Entry<T> | undefined;
    let any: Entry<T> | undefined;
    for (const entry of this.#entries.values()) {
      if (entry.open > 0) continue;
      if (entry.owner === owner) ofOwner ??= entry;
      any ??= entry;
    }
    const chosen = ofOwner ?? any;
    if (chosen === undefined) return false;
    this.end(chosen.id);
    return true;
  }
}
