import type { Hold } from "../http/held-by-stream.ts";
import type { Page } from "./frame-log.ts";

/** Function that gets the next bytes, or undefined at the end. */
export type Take = (bytes: Uint8Array | undefined) => void;

/** The feed of a reader. */
export interface ReaderFeed {
  /** Gives the reader its next bytes: now, or when some arrive. */
  serve(reader: FeedReader): void;
  leave(reader: FeedReader): void;
}

/** A reader of an event feed: its position in the pages that all readers share. */
export class FeedReader {
  /** Gets the number of bytes that wait for the reader. */
  readonly hold: Hold;
  readonly #feed: ReaderFeed;
  #pages: Page[] = [];
  /** Offset in the first page. */
  #offset = 0;
  /** Bytes that only this reader gets, before all others. */
  #lead: Buffer | undefined;
  /** Number of the event after which the reader begins, if that event did not exist when the reader joined; else 0. */
  #after = 0;
  /** Offset in the last page at which the reader ends; undefined while it follows the feed. */
  #limit: number | undefined;
  #take: Take | undefined;

  constructor(feed: ReaderFeed, hold: Hold) {
    this.#feed = feed;
    this.hold = hold;
  }

  /** True while the reader waits for bytes. */
  get isWaiting(): boolean {
    return this.#take !== undefined;
  }

  /** True when the reader has fallen too far behind. */
  get isFull(): boolean {
    return this.#limit !== undefined;
  }

  lead(text: string): void {
    this.#lead = Buffer.from(text);
  }

  /** Begins after an event that does not exist yet. */
  waitFor(after: number): this {
    this.#after = after;
    return this;
  }

  /** True for an event at which the reader can begin. */
  awaits(number: number): boolean {
    return number > this.#after;
  }

  /** Begins at a position in these pages of the log. */
  place(pages: readonly Page[], at: number): void {
    const first = pages.findIndex(({ start, filled }) => at < start + filled);
    this.#pages = first < 0 ? pages.slice(-1) : pages.slice(first);
    this.#offset = at - (this.#pages[0]?.start ?? at);
  }

  push(page: Page): void {
    this.#pages.push(page);
  }

  /** Ends the reader after the bytes that exist now. */
  fill(): void {
    this.#limit = this.#pages.at(-1)?.filled ?? 0;
  }

  /** Number of bytes that the reader has not read, if the log has this length. */
  unread(length: number): number {
    const [first] = this.#pages;
    if (first === undefined) return 0;
    const last = this.#pages.at(-1) ?? first;
    const end = this.#limit === undefined ? length : last.start + this.#limit;
    return end - first.start - this.#offset;
  }

  /** Returns the next bytes, at most a page; undefined when there are none. */
  next(): Uint8Array | undefined {
    const lead = this.#lead;
    this.#lead = undefined;
    if (lead !== undefined) return lead;
    while (this.#pages.length > 1 && this.#offset === this.#pages[0]?.filled) {
      this.#pages.shift();
      this.#offset = 0;
    }
    const [page] = this.#pages;
    if (page === undefined) return undefined;
    const end = this.#pages.length === 1 ? (this.#limit ?? page.filled) : page.filled;
    if (this.#offset >= end) return undefined;
    const bytes = page.bytes.subarray(this.#offset, end);
    this.#offset = end;
    return bytes;
  }

  /** Calls back with the next bytes as soon as there are any. One call at a time. */
  read(take: Take): void {
    this.#take = take;
    this.#feed.serve(this);
  }

  /** Gives bytes to the pending call of `read`. */
  give(bytes: Uint8Array | undefined): void {
    const take = this.#take;
    this.#take = undefined;
    take?.(bytes);
  }

  /** Ends reading. */
  leave(): void {
    this.#take = undefined;
    this.#pages = [];
    this.#feed.leave(this);
    this.hold(0);
  }
}
