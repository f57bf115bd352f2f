import { ToolError } from "../../base/errors.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { Every } from "../../base/every.ts";
import type { JobOutcome, JobUrn } from "../../job/job.ts";
import type { Waiting } from "../../job/steps/kept-step.ts";
import type { RunningJob } from "../running/running-job.ts";
import { StoredJob } from "./stored-job.ts";
import type { JobChange } from "../store/job-news.ts";
import type { JobRecord, JobStore } from "../store/job-store.ts";

/** Milliseconds between two reads of the events of a job that reports many. */
const eventsEvery = 100;
/** Milliseconds until a read that failed is repeated. */
const retryEvery = 2000;

/** A job that callers in this process wait for. */
interface Followed {
  readonly id: JobUrn;
  readonly readers: Set<StoredJob>;
  unwatch: () => void;
  isReading: boolean;
  /** True when the job has changed since the last read began. */
  isStale: boolean;
  /** Ends a pause between two reads. */
  endPause: (() => void) | undefined;
}

export interface FollowedJobsOptions {
  readonly store: JobStore;
  readonly every: Every;
  readonly tools: readonly Tool[];
  /** Tools of earlier builds; their jobs can still be found. */
  readonly retired: readonly Tool[];
}

/** Follows jobs that other workers run until they have ended: reads a job when the store reports a change of it. */
export class FollowedJobs {
  readonly #store: JobStore;
  readonly #every: Every;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #jobs = new Map<JobUrn, Followed>();
  #failed = false;

  constructor({ store, every, tools, retired }: FollowedJobsOptions) {
    this.#store = store;
    this.#every = every;
    this.#tools = new Map([...retired, ...tools].map((tool) => [tool.name, tool]));
  }

  /**
   * Wraps a record as a job, or updates the job if it is followed already. Throws if this process does not have the
   * tool.
   */
  open(record: JobRecord): StoredJob {
    const tool = this.#tools.get(record.tool);
    if (tool === undefined) throw this.#store.isShared === true ? foreign() : unknown();
    // Later callers get the same object, so that each job is followed once.
    const followed = this.#jobs.get(record.id);
    const [known] = followed?.readers ?? [];
    if (followed === undefined || known === undefined) return new StoredJob(record, tool, (job) => this.#follow(job));
    this.#update(followed, record);
    return known;
  }

  /** Wraps a job that was just stored without a lease. */
  openLent({ id, tool, owner }: RunningJob, waiting: Waiting | undefined): StoredJob {
    const own = { ...(owner !== undefined && { owner }), ...(waiting !== undefined && { waiting }) };
    return this.open({ id, tool: tool.name, state: "pending", attempt: 0, events: [], ...own });
  }

  /**
   * Returns the outcome of a job whose lease this process has lost. From then on, listeners get the events of the
   * attempt that holds the lease.
   */
  async lost(job: RunningJob, own: JobOutcome): Promise<JobOutcome> {
    const record = await this.#store.get(job.id);
    if (record === undefined) return own;
    const known = this.open(record);
    known.onEvent((event) => job.events.pass(event));
    return known.done;
  }

  /** Stops following jobs. Callers that still wait are not notified. */
  stop(): void {
    for (const followed of this.#jobs.values()) this.#forget(followed);
  }

  #follow(job: StoredJob): void {
    const { id } = job;
    let followed = this.#jobs.get(id);
    if (followed?.readers.has(job) === true) return;
    if (followed === undefined) {
      const made: Followed = {
        id,
        readers: new Set(),
        unwatch: () => {},
        isReading: false,
        isStale: false,
        endPause: undefined,
      };
      made.unwatch = this.#store.watch(id, (change) => this.#changed(made, change));
      this.#jobs.set(id, made);
      followed = made;
    }
    followed.readers.add(job);
    // Reads the job at once, since it may have changed after its record was read.
    void this.#read(followed);
  }

  #changed(followed: Followed, change: JobChange): void {
    // Changes of answers are ignored: they matter only to the process that runs the job.
    if (change === "answers") return;
    if (change !== "events") {
      void this.#read(followed);
      return;
    }
    if (![...followed.readers].some(({ hearsEvents }) => hearsEvents)) return;
    if (followed.endPause === undefined) {
      this.#pause(followed, eventsEvery);
      void this.#read(followed);
    } else followed.isStale = true;
  }

  /** Pauses, and then reads the job if it has changed in the meantime. */
  #pause(followed: Followed, milliseconds: number): void {
    followed.endPause?.();
    const stop = this.#every(milliseconds, () => {
      stop();
      followed.endPause = undefined;
      if (!followed.isStale) return;
      this.#pause(followed, eventsEvery);
      void this.#read(followed);
    });
    followed.endPause = stop;
  }

  /** Reads the job; only one read at a time, so that requests to a slow store do not pile up. */
  async #read(followed: Followed): Promise<void> {
    followed.isStale = true;
    if (followed.isReading) return;
    followed.isReading = true;
    while (followed.isStale && this.#jobs.get(followed.id) === followed) {
      followed.isStale = false;
      try {
        this.#update(followed, await this.#store.get(followed.id));
        this.#failed = false;
      } catch (error) {
        // The failure is logged once, instead of for each job and repetition.
        if (!this.#failed) getLogger("tenon").error({ error: describeThrown(error) }, "the job store failed");
        this.#failed = true;
        this.#pause(followed, retryEvery);
        followed.isStale = true;
        break;
      }
    }
    followed.isReading = false;
  }

  #update(followed: Followed, record: JobRecord | undefined): void {
    for (const job of followed.readers) {
      job.update(record);
      if (job.outcome !== undefined) followed.readers.delete(job);
    }
    if (followed.readers.size === 0) this.#forget(followed);
  }

  #forget(followed: Followed): void {
    followed.readers.clear();
    followed.unwatch();
    followed.endPause?.();
    followed.endPause = undefined;
    if (this.#jobs.get(followed.id) === followed) this.#jobs.delete(followed.id);
  }
}

function unknown(): ToolError {
  return new ToolError("not-found", "The job does not exist, or has expired.");
}

/**
 * Makes the error for a job whose tool this process does not have: replicas differ while a new version of a service is
 * rolled out.
 */
function foreign(): ToolError {
  return new ToolError("unavailable", "This replica does not have the tool of the job. Ask again: another one may.", {
    retryAfter: 1,
  });
}
