import type { JobUrn } from "../../../job/job.ts";
import { getLogger } from "../../../telemetry/log/logging.ts";

/** Maximum number of jobs whose losses are remembered: of some jobs nobody ever waits for the last event. */
const mostJobs = 1000;

interface Loss {
  count: number;
  /** The count in the log. */
  told: number;
  /** Reasons in the log. */
  readonly reasons: Set<string>;
}

/** Counts the lost events of each job. The log has each reason once, and the count when the job's events have ended. */
export class EventLosses {
  readonly #jobs = new Map<JobUrn, Loss>();

  /** Counts a lost event. @param message A text for the log, the same for all events that are lost in this way */
  lose(id: JobUrn, message: string, fields: { readonly reason?: string } = {}): void {
    const loss = this.#of(id);
    loss.count++;
    if (loss.reasons.has(message)) return;
    loss.reasons.add(message);
    getLogger("tenon").warn({ job_id: id, ...fields }, message);
  }

  /** Counts events that are given up. */
  giveUp(id: JobUrn, events: number): void {
    if (events > 0) this.#of(id).count += events;
  }

  /** Drops the count, since the platform does not want the events of this attempt. */
  forget(id: JobUrn): void {
    this.#jobs.delete(id);
  }

  /** Logs the count: the first time at once, and then only when the events of the job have ended. */
  tell(id: JobUrn, isEnd: boolean): void {
    const loss = this.#jobs.get(id);
    if (loss === undefined) return;
    if (loss.count > loss.told && (isEnd || loss.told === 0)) {
      loss.told = loss.count;
      getLogger("tenon").warn({ job_id: id, lost: loss.count }, "events of the job were lost");
    }
    if (isEnd) this.#jobs.delete(id);
  }

  /** Logs the counts of all jobs. */
  close(): void {
    for (const id of this.#jobs.keys()) this.tell(id, true);
  }

  #of(id: JobUrn): Loss {
    const known = this.#jobs.get(id);
    if (known !== undefined) return known;
    const [oldest] = this.#jobs.keys();
    if (oldest !== undefined && this.#jobs.size >= mostJobs) this.tell(oldest, true);
    const loss: Loss = { count: 0, told: 0, reasons: new Set() };
    this.#jobs.set(id, loss);
    return loss;
  }
}
