import type { Job } from "../../job/job.ts";
import type { Hold } from "../http/held-by-stream.ts";
import { EventFeed } from "./event-feed.ts";
import { endCount, type EventOrigin } from "./event-frames.ts";
import type { FeedReader } from "./feed-reader.ts";
import { TimeSlices } from "./time-slices.ts";

const greeting = Buffer.from(": \n\n");

/** A reader of the events of a job. */
export interface EventReader {
  /** Number of the last event that the reader has. */
  readonly after: number;
  /** Owner of the job. */
  readonly owner?: string | undefined;
  /** Gets the number of bytes that wait for the reader. */
  readonly hold?: Hold | undefined;
}

/** A feed of an ended job, with data that distinguish the job from a later job with the same id. */
interface EndedFeed extends Extent {
  readonly feed: EventFeed;
}

/** The event streams of a service. Readers of one job share one feed. */
export class JobEventStreams {
  readonly #from: EventOrigin;
  /** Time slices for all readers, including new ones. */
  readonly slices = new TimeSlices();
  readonly #ofRunning = new WeakMap<Job, EventFeed>();
  /** Feeds of ended jobs that have readers, by owner and id: each request has a job object of its own. */
  readonly #ofEnded = new Map<string, EndedFeed>();

  constructor(from: EventOrigin) {
    this.#from = from;
  }

  /**
   * The events of a job as server-sent events: steps and progress, then result and status. Undefined when the reader
   * has all events, so that it stops.
   */
  open(job: Job, { after, owner, hold = () => {} }: EventReader): ReadableStream<Uint8Array> | undefined {
    const { outcome } = job;
    if (outcome !== undefined && extentOf(job).last + endCount(outcome) <= after) return undefined;
    let reader: FeedReader | undefined;
    return new ReadableStream<Uint8Array>(
      {
        // Headers are sent with the first bytes, so that a reader knows at once that it is connected.
        start: (controller) => controller.enqueue(greeting),
        // Events are read only on demand, since an answer to HEAD has no reader that would end the reading.
        pull: (controller) =>
          new Promise<void>((resolve) => {
            reader ??= this.#feedOf(job, owner).join(after, hold);
            reader.read((bytes) => {
              if (bytes === undefined) controller.close();
              else controller.enqueue(bytes);
              resolve();
            });
          }),
        cancel: () => reader?.leave(),
      },
      { highWaterMark: 0 },
    );
  }

  #feedOf(job: Job, owner: string | undefined): EventFeed {
    const extent = extentOf(job);
    if (job.outcome !== undefined) return this.#feedOfEnded(job, owner, extent);
    const known = this.#ofRunning.get(job);
    // A new feed is made if the job still has events that are older than those of the existing feed: a feed drops old
    // events by their bytes, a job by another limit.
    if (known !== undefined && (known.first ?? 0) <= extent.first) return known;
    const feed = new EventFeed(job, this.#from, this.slices);
    this.#ofRunning.set(job, feed);
    return feed;
  }

  #feedOfEnded(job: Job, owner: string | undefined, extent: Extent): EventFeed {
    const key = JSON.stringify([owner ?? null, job.id]);
    const known = this.#ofEnded.get(key);
    if (known !== undefined && known.last === extent.last && known.timestamp === extent.timestamp) return known.feed;
    const feed = new EventFeed(job, this.#from, this.slices, () => {
      if (this.#ofEnded.get(key)?.feed === feed) this.#ofEnded.delete(key);
    });
    if (extent.last > 0) this.#ofEnded.set(key, { ...extent, feed });
    return feed;
  }
}

/** The stored events of a job: numbers of the first and the last one, and the time of the last. */
interface Extent {
  readonly first: number;
  readonly last: number;
  readonly timestamp: string;
}

function extentOf(job: Job): Extent {
  let [first, last, timestamp] = [0, 0, ""];
  job.onEvent((event) => {
    if (first === 0) first = event.sequence;
    last = event.sequence;
    ({ timestamp } = event);
  })();
  return { first, last, timestamp };
}
