import type { Every } from "../../base/every.ts";
import type { Parking } from "../../job/steps/kept-step.ts";
import type { RunningJob } from "../running/running-job.ts";
import { isSuspect, type Claim, type JobStore, type Lease } from "../store/job-store.ts";
import { Wakes } from "../store/wakes.ts";
import type { Submission } from "../../job/job.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { submissionOf } from "./stored-job.ts";
import { leaseSeconds, workerName } from "./lending.ts";
import type { StoreWrites } from "./store-writes.ts";

/** Maximum number of jobs in one claim. */
const mostAtOnce = 64;
const roundEvery = (leaseSeconds * 1000) / 3;
/** Seconds until a job whose events could not be read is claimed again. */
const unreadDelay = 1;

export interface StoreRoundsOptions {
  readonly store: JobStore;
  /** The tools whose stored jobs this process resumes. */
  readonly tools: readonly Tool[];
  readonly every: Every;
  readonly outside: <T>(callback: () => T) => T;
  readonly writes: StoreWrites;
  readonly held: () => Iterable<{ readonly job: RunningJob; readonly lease: Lease | undefined }>;
  /** False: this process claims no jobs at present. */
  readonly takesUp: () => boolean;
  /** Number of free slots for jobs of a tool. */
  readonly room: (tool: string) => number;
  /** Runs a claimed job. */
  readonly takeUp: (lease: Lease, submission: Submission) => RunningJob;
}

/**
 * Periodic work of a store: renews leases, ends expired ones, drops expired jobs, and runs jobs that were left in the
 * store.
 */
export class StoreRounds {
  readonly #options: StoreRoundsOptions;
  /** Names of tools whose jobs may be waiting in the store. */
  readonly #waiting = new Set<string>();
  readonly #tools: ReadonlyMap<string, Tool>;
  #stop: (() => void) | undefined;
  #isOver = false;
  #round: Promise<void> | undefined;
  #taking: Promise<void> | undefined;
  #isTaking = false;
  /** Times at which jobs that were parked here can go on, and a timer for the first one. */
  readonly #wakes = new Wakes();
  #alarm: NodeJS.Timeout | undefined;
  /**
   * True while a suspected poison job, which is in its last attempt, runs here. No other job in its last attempt is
   * then claimed: if one of the two ends the process, the other would be lost for good.
   */
  #hasSuspect = false;

  constructor(options: StoreRoundsOptions) {
    this.#options = options;
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  }

  /** Starts the rounds; repeated calls have no effect. */
  start(): void {
    if (this.#stop !== undefined) return;
    const { every, outside, writes, store } = this.#options;
    const endRounds = outside(() => every(roundEvery, () => writes.add(this.go())));
    const endNews = store.ready((tools) => this.#hear(tools));
    this.#stop = () => {
      endRounds();
      endNews();
    };
  }

  /** Called when a slot of a tool is free: claims a job that waits in the store. */
  freed(tool: string): void {
    if (this.#waiting.size > 0 && this.#waiting.has(tool)) this.#options.writes.add(this.#take());
  }

  /** Schedules a claim for the time when a parked job can continue: the periodic rounds alone would be late. */
  parked({ delay, until }: Parking): void {
    if (this.#stop === undefined) return;
    const { wait } = this.#wakes;
    this.#wakes.add(delay ?? (until === undefined ? Infinity : until - Date.now()));
    if (this.#wakes.wait < wait) this.#setAlarm();
  }

  #setAlarm(): void {
    clearTimeout(this.#alarm);
    const { wait } = this.#wakes;
    if (wait === Infinity) return;
    const wakeUp = (): void => {
      this.#wakes.come();
      this.#setAlarm();
      this.#hear(undefined);
    };
    this.#alarm = this.#options.outside(() => setTimeout(wakeUp, wait + 1));
    this.#alarm.unref();
  }

  /** Starts a round unless one is running, so that requests to a slow store do not pile up. */
  go(): Promise<void> {
    return (this.#round ??= this.#options.outside(() => this.#go()).finally(() => (this.#round = undefined)));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#stop?.();
    clearTimeout(this.#alarm);
    await Promise.allSettled([this.#round, this.#taking]);
  }

  /**
   * Does one round. Own leases are renewed first: jobs that run here must not be lost because this process was blocked
   * for a while. They are renewed again when a store has so much to do that the round takes longer.
   */
  async #go(): Promise<void> {
    const { held, store } = this.#options;
    const renewed: PromiseSettledResult<void>[] = [];
    let due = -Infinity;
    do {
      if (performance.now() >= due) {
        due = performance.now() + roundEvery;
        renewed.push(...(await Promise.allSettled(Array.from(held(), (entry) => this.renew(entry)))));
      }
    } while ((await store.reap()) === true && !this.#isOver);
    for (const tool of this.#tools.keys()) this.#waiting.add(tool);
    await this.#take();
    for (const { status, reason } of renewed as PromiseRejectedResult[]) if (status === "rejected") throw reason;
  }

  #hear(tools: readonly string[] | undefined): void {
    for (const tool of tools ?? this.#tools.keys()) if (this.#tools.has(tool)) this.#waiting.add(tool);
    if (this.#waiting.size > 0) this.#options.writes.add(this.#take());
  }

  /** Claims waiting jobs as long as there are free slots. */
  #take(): Promise<void> {
    if (!this.#isTaking) {
      this.#isTaking = true;
      this.#taking = this.#options.outside(() => this.#claimAll());
    }
    return this.#taking ?? Promise.resolve();
  }

  async #claimAll(): Promise<void> {
    const { takesUp, room } = this.#options;
    try {
      while (takesUp()) {
        const tools = [...this.#waiting].filter((tool) => room(tool) > 0);
        if (tools.length === 0) return;
        const claim = await this.#claim(tools, this.#hasSuspect);
        if (claim === undefined) continue;
        await this.#takeUp(claim);
        // Claims of one turn share a statement, so further jobs of the same tool are claimed together, one for each
        // free slot.
        const { tool } = claim.job;
        const more = Array.from({ length: Math.min(room(tool), mostAtOnce) }, () => this.#claim([tool], true));
        const failures: unknown[] = [];
        for (const next of await Promise.allSettled(more)) {
          if (next.status === "rejected") failures.push(next.reason);
          else if (next.value !== undefined) await this.#takeUp(next.value).catch((error) => failures.push(error));
        }
        if (failures.length > 0) throw failures[0];
      }
    } finally {
      // Reset in the same turn as the last check for notifications, so that a later notification starts a new round.
      this.#isTaking = false;
    }
  }

  async #takeUp(claim: Claim): Promise<void> {
    const { lease, job, lastSequence } = claim;
    const tool = this.#tools.get(job.tool);
    if (tool === undefined) return;
    const { store, takesUp } = this.#options;
    const { talk } = job;
    const read = async (): Promise<Submission> => {
      const record = lastSequence === 0 ? undefined : await store.get(job.id);
      const client = talk === undefined ? undefined : (await import("./keep-questions.ts")).askAgain(talk);
      return submissionOf(job, tool, record, client);
    };
    // Handed back, so that the attempt does not count.
    const submission = await read().catch(async (error: unknown) => {
      await store.release(lease, unreadDelay);
      throw error;
    });
    // The shutdown may have begun while the store answered: it would not wait for another job.
    if (!takesUp()) return void (await store.release(lease, 0));
    const running = this.#options.takeUp(lease, submission);
    // A synchronous tool has ended by now.
    if (!isSuspect(claim) || running.ending !== undefined) return;
    this.#hasSuspect = true;
    running.onLeft = () => {
      this.#hasSuspect = false;
      // Claims again: jobs that must not run beside a suspected poison job may have been waiting.
      if (this.#stop !== undefined) this.#hear(undefined);
    };
  }

  async #claim(tools: readonly string[], withoutSuspects: boolean): Promise<Claim | undefined> {
    for (const tool of tools) this.#waiting.delete(tool);
    let mayBeMore = true;
    try {
      const { store } = this.#options;
      const worker = workerName(store);
      const claim = await store.claim({
        seconds: leaseSeconds,
        tools,
        withoutSuspects,
        ...(worker !== undefined && { worker }),
      });
      mayBeMore = claim !== undefined;
      return claim;
    } finally {
      if (mayBeMore) for (const tool of tools) this.#waiting.add(tool);
    }
  }

  async renew({ job, lease }: { readonly job: RunningJob; readonly lease: Lease | undefined }): Promise<void> {
    if (lease === undefined || job.ending !== undefined) return;
    const answer = await this.#options.store.renew(lease, leaseSeconds);
    // The job may have ended, or left, while the store answered.
    if (job.ending !== undefined) return;
    if (typeof answer === "object") job.cancel(answer.cancel);
    else if (answer !== "ok") job.cancel("The job was given to another worker, or is gone.");
  }
}
