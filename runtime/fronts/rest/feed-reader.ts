import type { Hold } from "../http/held-by-stream.ts";
import type { Page } from "./frame-log.ts";

/** Takes the next bytes, or learns that there are no more. */
export type Take = (bytes: Uint8Array | undefined) => void;

/** The feed of a reader. */
export interface ReaderFeed {
  /** Gives the reader what is next for it, now or when there is something. */
  serve(reader: FeedReader): void;
  leave(reader: FeedReader): void;
}

/** A reader of an event feed: its place in the pages that all readers share. */
export class FeedReader {
  /** Takes the bytes that wait for the reader. */
  readonly hold: Hold;
  readonly #feed: ReaderFeed;
  #pages: Page[] = [];
  /** Place in the first of them. */
  #offset = 0;
  /** Bytes that this reader alone gets, before all others. */
  #lead: Buffer | undefined;
  /** Number of the event after which it begins, while that has not come. */
  #after = 0;
  /** Set when it gets nothing more: where it ends in its last page. */
  #limit: number | undefined;
  #take: Take | undefined;

  constructor(feed: ReaderFeed, hold: Hold) {
    this.#feed = feed;
    this.hold = hold;
  }

  /** True while it waits for bytes. */
  get isWaiting(): boolean {
    return this.#take !== undefined;
  }

  /** True when it has fallen too far behind. */
  get isFull(): boolean {
    return this.#limit !== undefined;
  }

  lead(text: string): void {
    this.#lead = Buffer.from(text);
  }

  /** Begins behind an event that has not come. */
  waitFor(after: number): this {
    this.#after = after;
    return this;
  }

  /** True for an event with which it can begin. */
  awaits(number: number): boolean {
    return number > this.#after;
  }

  /** Begins at a place of the log with these pages. */
  place(pages: readonly Page[], at: number): void {
    const first = pages.findIndex(({ start, filled }) => at < start + filled);
    this.#pages = first < 0 ? pages.slice(-1) : pages.slice(first);
    this.#offset = at - (this.#pages[0]?.start ?? at);
  }

  push(page: Page): void {
    this.#pages.push(page);
  }

  /** Ends the reader at the bytes that are there. */
  fill(): void {
    this.#limit = this.#pages.at(-1)?.filled ?? 0;
  }

  /** Bytes that it has not read, of a log that has this length. */
  unread(length: number): number {
    const [first] = this.#pages;
    if (first === undefined) return 0;
    const last = this.#pages.at(-1) ?? first;
    const end = this.#limit === undefined ? length : last.start + this.#limit;
    return end - first.start - this.#offset;
  }

  /** The next bytes, at most a page of them. Undefined when there are none. */
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

  /** Takes the next bytes as soon as there are any. One call at a time. */
  read(take: Take): void {
    this.#take = take;
    this.#feed.serve(this);
  }

  /** Gives bytes to who waits for them. */
  give(bytes: Uint8Array | undefined): void {
    const take = this.#take;
    this.#take = undefined;
    take?.(bytes);
  }

  /** Takes nothing more. */
  leave(): void {
    this.#take = undefined;
    this.#pages = [];
    this.#feed.leave(this);
    this.hold(0);
  }
}
