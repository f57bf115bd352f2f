import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { Every } from "../../base/every.ts";
import { StoredJob } from "./stored-job.ts";
import type { JobRecord, JobStore } from "../store/job-store.ts";

/** Milliseconds between two looks at the jobs that somebody waits for. */
const lookEvery = 250;

/** Jobs that others run, and somebody here waits for: looks at the store until they have ended. */
export class FollowedJobs {
  readonly #store: JobStore;
  readonly #every: Every;
  readonly #jobs = new Set<StoredJob>();
  #stop: (() => void) | undefined;
  #looking = false;
  #failed = false;

  constructor(store: JobStore, every: Every) {
    this.#store = store;
    this.#every = every;
  }

  /** A record as a job. One that is followed already is brought up to date. */
  open(record: JobRecord, tool: Tool): StoredJob {
    // The same object for whoever comes later, so that a caller who asks again and again is followed once.
    const known = [...this.#jobs].find(({ id }) => id === record.id);
    if (known === undefined) return new StoredJob(record, tool, (job) => this.#follow(job));
    known.update(record);
    this.#forgetEnded(known);
    return known;
  }

  /** Whoever still waits is not told any more. */
  stop(): void {
    this.#jobs.clear();
    this.#rest();
  }

  #follow(job: StoredJob): void {
    this.#jobs.add(job);
    this.#stop ??= this.#every(lookEvery, () => void this.#look());
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      for (const job of this.#jobs) {
        job.update(await this.#store.get(job.id));
        this.#forgetEnded(job);
      }
      this.#failed = false;
    } catch (error) {
      // Four times a second would fill the log.
      if (!this.#failed) getLogger("tenon").error({ error: describeThrown(error) }, "the job store failed");
      this.#failed = true;
    } finally {
      this.#looking = false;
    }
  }

  #forgetEnded(job: StoredJob): void {
    if (job.outcome !== undefined) this.#jobs.delete(job);
    if (this.#jobs.size === 0) this.#rest();
  }

  #rest(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
