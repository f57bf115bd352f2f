import type { Job, JobOutcome } from "../../job/job.ts";
import type { Hold } from "../http/held-by-stream.ts";
import { endFrames, eventFrame, lostFrame, type EventOrigin } from "./event-frames.ts";
import { FeedReader, type ReaderFeed } from "./feed-reader.ts";
import { FrameLog, type Page } from "./frame-log.ts";
import type { TimeSlices } from "./time-slices.ts";

/** Maximum unread bytes of a slow reader. Beyond this limit its stream is ended, and the reader can resume it. */
const maxUnread = 4 * 1024 * 1024;
const heartbeatMs = 15_000;
const heartbeat = Buffer.from(": \n\n");

/**
 * The events of a job for all of its readers. Each event is encoded once for all readers; a reader has only its
 * position. Listens to the job only while there are readers.
 */
export class EventFeed implements ReaderFeed {
  readonly #job: Job;
  readonly #from: EventOrigin;
  readonly #slices: TimeSlices;
  readonly #onClose: () => void;
  readonly #readers = new Set<FeedReader>();
  readonly #waiting = new Set<FeedReader>();
  /** Readers that requested events which do not exist yet. */
  readonly #ahead = new Set<FeedReader>();
  #log = new FrameLog();
  /** Bytes that the log keeps for future readers. */
  #most = maxUnread;
  #isOpen = false;
  #hasEnded = false;
  #isReplaying = false;
  #watchesEnd = false;
  #unsubscribe: () => void = () => {};
  #heartbeat: NodeJS.Timeout | undefined;

  /** @param onClose Called when the last reader has left. */
  constructor(job: Job, from: EventOrigin, slices: TimeSlices, onClose: () => void = () => {}) {
    this.#onClose = onClose;
    this.#job = job;
    this.#from = from;
    this.#slices = slices;
  }

  /** Number of the oldest available event; undefined when the feed is not open, or has no events. */
  get first(): number | undefined {
    return this.#isOpen ? this.#log.first : undefined;
  }

  /** Adds a reader of the events after a number. */
  join(after: number, hold: Hold): FeedReader {
    if (!this.#isOpen) this.#open();
    const reader = new FeedReader(this, hold);
    this.#readers.add(reader);
    const first = this.#log.first ?? 1;
    if (first > after + 1) reader.lead(lostFrame(this.#job, this.#from, first - after - 1, first - 1));
    if (after > this.#log.last) this.#ahead.add(reader.waitFor(after));
    else reader.place(this.#log.pages, this.#log.placeAfter(after));
    this.#tellHeld(reader);
    return reader;
  }

  /** Serves each reader in a separate time slice, since there may be a thousand readers. */
  serve(reader: FeedReader): void {
    this.#slices.add(() => {
      if (!reader.isWaiting) return;
      const bytes = reader.next();
      if (bytes !== undefined) reader.give(bytes);
      else if (reader.isFull || this.#hasEnded) {
        reader.give(undefined);
        reader.leave();
      } else this.#waiting.add(reader);
      this.#tellHeld(reader);
    });
  }

  leave(reader: FeedReader): void {
    this.#readers.delete(reader);
    this.#waiting.delete(reader);
    this.#ahead.delete(reader);
    if (this.#readers.size === 0) this.#close();
  }

  #open(): void {
    this.#isOpen = true;
    this.#log = new FrameLog();
    this.#most = maxUnread;
    this.#isReplaying = true;
    this.#unsubscribe = this.#job.onEvent((event) => {
      const { last } = this.#log;
      const lost = event.sequence - last - 1;
      // A listener that is added after the end is called at once.
      if (lost > 0 && !(this.#isReplaying && last === 0))
        this.#add(last + lost, lostFrame(this.#job, this.#from, lost, last + lost));
      this.#add(event.sequence, eventFrame(this.#job, this.#from, event));
    });
    this.#heartbeat = setInterval(() => {
      for (const reader of this.#waiting) reader.give(heartbeat);
      this.#waiting.clear();
    }, heartbeatMs).unref();
    if (!this.#watchesEnd) this.#job.onEnd((outcome) => this.#ended(outcome));
    this.#watchesEnd = true;
    this.#isReplaying = false;
    this.#most = Math.max(maxUnread, this.#log.length);
  }

  #ended(outcome: JobOutcome): void {
    this.#hasEnded = true;
    if (!this.#isOpen) return;
    let { last } = this.#log;
    for (const text of endFrames(this.#job, this.#from, outcome, last)) this.#add(++last, text);
    this.#wake();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#unsubscribe();
    clearInterval(this.#heartbeat);
    this.#log = new FrameLog();
    this.#onClose();
  }

  #add(number: number, text: string): void {
    const place = this.#log.length;
    const page = this.#log.add(number, text);
    if (page !== undefined) this.#share(page);
    for (const reader of this.#ahead) {
      if (!reader.awaits(number)) continue;
      this.#ahead.delete(reader);
      reader.place(this.#log.pages, place);
    }
    this.#wake();
  }

  /** Gives a new page to all readers, and drops readers that are too far behind. */
  #share(page: Page): void {
    if (!this.#isReplaying) this.#log.trim(this.#most);
    for (const reader of this.#readers) {
      if (this.#ahead.has(reader)) continue;
      if (reader.unread(page.start) > maxUnread) {
        reader.fill();
        this.#readers.delete(reader);
      } else reader.push(page);
      this.#tellHeld(reader);
    }
  }

  #wake(): void {
    for (const reader of this.#waiting) this.serve(reader);
    this.#waiting.clear();
  }

  /**
   * Reports unread bytes. Readers share these bytes, so they count once, except for readers that are too far behind.
   */
  #tellHeld(reader: FeedReader): void {
    const unread = reader.unread(this.#log.length);
    reader.hold(reader.isFull ? unread : Math.ceil(unread / Math.max(1, this.#readers.size)));
  }
}
