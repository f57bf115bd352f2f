import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { Every } from "../../base/every.ts";
import { StoredJob } from "./stored-job.ts";
import type { JobRecord, JobStore } from "../store/job-store.ts";

/** Poll interval in milliseconds for jobs that somebody waits for. */
const lookEvery = 250;

/** Polls the store for jobs that other workers run, until they have ended. */
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

  /** Wraps a record as a job, or updates the job that is followed already. */
  open(record: JobRecord, tool: Tool): StoredJob {
    // Later callers get the same object, so that repeated requests of a caller are followed once.
    const known = [...this.#jobs].find(({ id }) => id === record.id);
    if (known === undefined) return new StoredJob(record, tool, (job) => this.#follow(job));
    known.update(record);
    this.#forgetEnded(known);
    return known;
  }

  /** Stops polling; those still waiting are not notified. */
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
      // Logged once: four times a second would fill the log.
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
