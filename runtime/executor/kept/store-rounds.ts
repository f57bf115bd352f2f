import type { Every } from "../../base/every.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { Claim, JobStore, Lease } from "../store/job-store.ts";
import type { StoreWrites } from "./store-writes.ts";

export const leaseSeconds = 15;
const roundEvery = (leaseSeconds * 1000) / 3;

export interface StoreRoundsOptions {
  readonly store: JobStore;
  /** Names of the tools whose jobs are resumed here. */
  readonly tools: readonly string[];
  readonly every: Every;
  readonly outside: <T>(callback: () => T) => T;
  readonly writes: StoreWrites;
  readonly held: () => Iterable<{ readonly job: RunningJob; readonly lease: Lease | undefined }>;
  /** False: leftover jobs are not resumed here. */
  readonly takesUp: () => boolean;
  readonly takeUp: (claim: Claim) => Promise<void>;
}

/** Periodic work of a store: renews leases, ends expired ones, drops expired jobs, and runs leftover jobs. */
export class StoreRounds {
  readonly #options: StoreRoundsOptions;
  #stop: (() => void) | undefined;
  #round: Promise<void> | undefined;

  constructor(options: StoreRoundsOptions) {
    this.#options = options;
  }

  /** Starts the rounds; repeated calls have no effect. */
  start(): void {
    const { every, outside, writes } = this.#options;
    this.#stop ??= outside(() => every(roundEvery, () => writes.add(this.go())));
  }

  /** One round at a time: requests to a slow store must not pile up. */
  go(): Promise<void> {
    return (this.#round ??= this.#options.outside(() => this.#go()).finally(() => (this.#round = undefined)));
  }

  async stop(): Promise<void> {
    this.#stop?.();
    await this.#round?.catch(() => {});
  }

  /** Own leases first: jobs that run here must not be lost because this process was blocked for a while. */
  async #go(): Promise<void> {
    const { held, store, tools, takesUp, takeUp } = this.#options;
    const renewed = await Promise.allSettled(Array.from(held(), (entry) => this.#renew(entry)));
    await store.reap();
    while (takesUp()) {
      const claim = await store.claim({ seconds: leaseSeconds, tools });
      if (claim === undefined) break;
      await takeUp(claim);
    }
    for (const { status, reason } of renewed as PromiseRejectedResult[]) if (status === "rejected") throw reason;
  }

  async #renew({ job, lease }: { readonly job: RunningJob; readonly lease: Lease | undefined }): Promise<void> {
    if (lease === undefined || job.ending !== undefined) return;
    const answer = await this.#options.store.renew(lease, leaseSeconds);
    if (typeof answer === "object") job.cancel(answer.cancel);
    else if (answer !== "ok") job.cancel("The job was given to another worker, or is gone.");
  }
}
