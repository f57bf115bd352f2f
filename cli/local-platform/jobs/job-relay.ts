import { randomUUID } from "node:crypto";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { JobStore } from "../../../runtime/executor/store/job-store.ts";
import type { PassesNotes } from "../../../runtime/executor/store/passes-notes.ts";
import type { JobNews, LiveState, NewsListener } from "./job-news.ts";

/** Milliseconds for which a replica's subscription to all notifications lasts. It is renewed at this interval. */
const wantedFor = 12_000;
const wantEvery = 5000;
/** Milliseconds for which notifications are gathered into one message. */
const gathering = 20;
/** Maximum bytes of a message between replicas. */
const largestNote = 7000;

/**
 * A hint that a job has changed. `service`: the key of its service. `what`: its state, the number of an event, or
 * `true` for the end of the job.
 */
type Hint = readonly [id: JobUrn, service: string, what: LiveState | number | true];

/** Reads the stored rows of a job that has listeners. */
export interface FollowedRows {
  /** Checks the store for changes that may have been missed. */
  look(): void;
  stop(): void;
}

/**
 * Passes changes of jobs between replicas. Messages between replicas are only hints to read the rows of the store,
 * which are authoritative. So events keep their order whichever replica stored them.
 */
export class JobRelay {
  readonly #store: JobStore & PassesNotes;
  readonly #self = randomUUID();
  readonly #stop: () => void;
  #wantedUntil = -wantedFor;
  #wanting: NodeJS.Timeout | undefined;
  #tellLive: NewsListener | undefined;
  #hints: Hint[] = [];
  #sending: NodeJS.Timeout | undefined;
  /** Messages of other replicas are handled one after the other. */
  #reading: Promise<void> = Promise.resolve();

  constructor(store: JobStore & PassesNotes) {
    this.#store = store;
    this.#stop = store.onNote((text) => this.#hear(text));
  }

  /** True while another replica subscribes to all notifications. */
  get isWanted(): boolean {
    return performance.now() < this.#wantedUntil;
  }

  /** Subscribes to the events and the end of a job, whichever replica stores them. */
  follow(id: JobUrn, tell: NewsListener): FollowedRows {
    let last = 0;
    let state: "idle" | "reading" | "again" | "over" = "idle";
    const read = async (): Promise<void> => {
      const record = await this.#store.get(id);
      if (record === undefined || state === "over") return;
      for (const event of record.events) {
        if (event.sequence <= last) continue;
        last = event.sequence;
        tell({ kind: "event", id, service: record.tool, event });
      }
      if (record.outcome === undefined) return;
      state = "over";
      tell({ kind: "end", id, service: record.tool, outcome: record.outcome, endedAt: record.endedAt });
    };
    const look = (): void => {
      if (state === "reading") state = "again";
      if (state !== "idle") return;
      state = "reading";
      // A failed read is repeated at the next hint, which comes at the latest when the store is available again.
      void read()
        .catch(() => {})
        .finally(() => {
          if (state === "over") return;
          const isAgain = state === "again";
          state = "idle";
          if (isAgain) look();
        });
    };
    const unwatch = this.#store.watch(id, look);
    return {
      look,
      stop: () => {
        state = "over";
        unwatch();
      },
    };
  }

  /** Subscribes to all notifications of the other replicas, as long as there is a listener. */
  listen(tell: NewsListener | undefined): void {
    this.#tellLive = tell;
    clearInterval(this.#wanting);
    if (tell === undefined) return;
    const want = (): void => this.#send(JSON.stringify([this.#self]));
    this.#wanting = setInterval(want, wantEvery).unref();
    want();
  }

  /** Sends the other replicas a hint about a change. */
  pass(news: JobNews): void {
    if (!this.isWanted) return;
    const what = news.kind === "state" ? news.state : news.kind === "event" ? news.event.sequence : true;
    this.#hints.push([news.id, news.service, what]);
    this.#sending ??= setTimeout(() => this.#flush(), gathering).unref();
  }

  close(): void {
    this.#stop();
    clearInterval(this.#wanting);
    clearTimeout(this.#sending);
  }

  #flush(): void {
    this.#sending = undefined;
    const hints = this.#hints;
    this.#hints = [];
    let [size, first] = [0, 0];
    for (const [index, hint] of hints.entries()) {
      const bytes = Buffer.byteLength(JSON.stringify(hint)) + 1;
      if (size + bytes > largestNote) {
        this.#send(JSON.stringify([this.#self, ...hints.slice(first, index)]));
        [size, first] = [0, index];
      }
      size += bytes;
    }
    this.#send(JSON.stringify([this.#self, ...hints.slice(first)]));
  }

  /** A message that is lost is not sent again: only a line on a screen would be missing. */
  #send(text: string): void {
    this.#store.sendNote(text).catch(() => {});
  }

  #hear(text: string): void {
    const [from, ...hints] = readNote(text);
    if (from === undefined || from === this.#self) return;
    if (hints.length === 0) this.#wantedUntil = performance.now() + wantedFor;
    else if (this.#tellLive !== undefined) this.#reading = this.#reading.then(() => this.#tell(hints)).catch(() => {});
  }

  async #tell(hints: readonly Hint[]): Promise<void> {
    for (const [id, service, what] of hints) {
      if (typeof what === "object") {
        this.#tellLive?.({ kind: "state", id, service, state: what });
        continue;
      }
      const record = await this.#store.get(id);
      const event = record?.events.find(({ sequence }) => sequence === what);
      if (event !== undefined) this.#tellLive?.({ kind: "event", id, service, event });
      if (what === true && record?.outcome !== undefined)
        this.#tellLive?.({ kind: "end", id, service, outcome: record.outcome, endedAt: record.endedAt });
    }
  }
}

/** Validated, since any client of the database may send messages. */
function readNote(text: string): readonly [string?, ...(readonly Hint[])] {
  try {
    const note: unknown = JSON.parse(text);
    if (!Array.isArray(note)) return [];
    const [from, ...hints] = note as readonly unknown[];
    return typeof from === "string" ? [from, ...hints.filter(isHint)] : [];
  } catch {
    return [];
  }
}

function isHint(value: unknown): value is Hint {
  return Array.isArray(value) && value.length === 3 && typeof value[0] === "string" && typeof value[1] === "string";
}
