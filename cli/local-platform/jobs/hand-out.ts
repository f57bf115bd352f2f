import type { JobUrn } from "../../../runtime/job/job.ts";
import {
  isSuspect,
  type Claim,
  type JobStore,
  type Lease,
  type NewJob,
} from "../../../runtime/executor/store/job-store.ts";
import { contentOf, type JobContent } from "./job-content.ts";
import type { JobHub } from "./job-hub.ts";
import type { HeldJob, JobTokens } from "./job-token.ts";
import type { LeaseWatch } from "./lease-watch.ts";
import { WaitingLine } from "./waiting-line.ts";

/**
 * Suspected poison jobs: jobs in their last attempt, each of which may have ended its workers. A worker gets only one
 * of them at a time, so that no other job in its last attempt is lost with it.
 */
class Suspects {
  readonly #byHolder = new Map<string, JobUrn>();
  readonly #holders = new Map<JobUrn, string>();

  /** True while a worker has a suspected poison job. */
  isWith(holder: string): boolean {
    return this.#byHolder.has(holder);
  }

  /** Assigns a suspected poison job to a worker; false when the worker has another one. */
  give(holder: string, id: JobUrn): boolean {
    if (this.#byHolder.has(holder)) return false;
    this.#byHolder.set(holder, id);
    this.#holders.set(id, holder);
    return true;
  }

  /**
   * Called when no worker holds a job any more. True if the job was a suspected poison job, so that its worker may get
   * the next one.
   */
  ended(id: JobUrn): boolean {
    const holder = this.#holders.get(id);
    if (holder === undefined) return false;
    this.#holders.delete(id);
    return this.#byHolder.delete(holder);
  }
}

/** A job for a worker. */
export interface GivenJob extends HeldJob {
  readonly content: JobContent;
  /** Value of `Authorization` for all requests about this attempt. */
  readonly authorization: string;
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
}

/** A worker that was removed from the queue because a job is being stored for it. */
export interface Promised {
  readonly worker: string;
  /** Gives the worker the promised job. Without a lease, the worker polls again. */
  give(job?: NewJob, lease?: Lease): void;
}

/** A worker that polls for a job. */
export interface Asking {
  /** Address of the worker, for people. */
  readonly worker: string;
  /** The process whose end would lose the worker's jobs, as far as known: the worker itself, or its machine. */
  readonly process: string;
  /** Milliseconds for which the worker waits for a job. */
  readonly ms: number;
  /** Registers a function for a disconnect, and returns a function that removes it. */
  readonly onGone: (gone: () => void) => () => void;
}

export interface HandOutOptions {
  readonly store: JobStore;
  readonly tokens: JobTokens;
  readonly hub: JobHub;
  readonly leases: LeaseWatch;
  readonly leaseSeconds: number;
}

/** Hands jobs out to workers. A worker polls for the oldest job of its service, and queues while there is none. */
export class HandOut {
  readonly #options: HandOutOptions;
  readonly #lines = new Map<string, WaitingLine<GivenJob>>();
  readonly #suspects = new Suspects();
  #draining = false;

  constructor(options: HandOutOptions) {
    this.#options = options;
  }

  /** The oldest job of a service; waits for one. Undefined: none has come in time, or the client has disconnected. */
  async next(service: string, { worker, process, ms, onGone }: Asking): Promise<GivenJob | undefined> {
    const { store, leaseSeconds } = this.#options;
    const line = this.#line(service);
    const holder = `${service} ${process}`;
    const until = performance.now() + ms;
    while (!this.#draining) {
      const { missed } = line;
      const withoutSuspects = this.#suspects.isWith(holder);
      const claim = await store.claim({ seconds: leaseSeconds, tools: [service], worker, withoutSuspects });
      if (claim !== undefined) {
        const { lease } = claim;
        if (!isSuspect(claim) || this.#suspects.give(holder, lease.id)) return this.#give(service, claim);
        // Releases the job again, since another request of this worker has got a suspected poison job meanwhile.
        await store.release(lease, 0);
        line.wake();
        continue;
      }
      if (line.missed !== missed) continue;
      const left = until - performance.now();
      if (left <= 0 || this.#draining) return undefined;
      const end = await line.wait(worker, left, onGone);
      if (typeof end === "object") return end.given;
      if (end !== "woken") return undefined;
    }
    return undefined;
  }

  /**
   * Removes the longest waiting worker from the queue, and reserves it for a job that is being submitted. Claiming a
   * job while it is stored costs half of finding it later. The caller must call `give`. Undefined: no worker waits.
   */
  promise(service: string): Promised | undefined {
    const waiter = this.#line(service).take();
    if (waiter === undefined) return undefined;
    return {
      worker: waiter.worker,
      give: (job, lease) => {
        if (job === undefined || lease === undefined) waiter.end("woken");
        else waiter.end({ given: this.#give(service, { job, lease, lastSequence: 0 }) });
      },
    };
  }

  /** Called when no worker holds a job any more. */
  freed(service: string, id: JobUrn): void {
    if (this.#suspects.ended(id)) this.wakeAllOf(service);
  }

  /** Called when a job of the service may be waiting. */
  wake(service: string): void {
    this.#line(service).wake();
  }

  /** Called when any number of jobs of the service may be waiting. */
  wakeAllOf(service: string): void {
    this.#lines.get(service)?.wakeAll();
  }

  wakeAll(): void {
    for (const line of this.#lines.values()) line.wakeAll();
  }

  /** Stops handing out jobs; all waiting workers get an empty answer. */
  drain(): void {
    this.#draining = true;
    for (const line of this.#lines.values()) line.close();
  }

  #give(service: string, { lease, job, lastSequence }: Claim): GivenJob {
    const { tokens, hub, leases } = this.#options;
    const held: HeldJob = { lease, service, lastSequence };
    leases.see(held);
    const state = { status: "executing", attempt: lease.attempt } as const;
    if (hub.hears(lease.id)) hub.tell({ kind: "state", id: lease.id, service, state });
    const { traceparent, tracestate, baggage } = job;
    const authorization = tokens.sign(held);
    return { ...held, content: contentOf(job.input), authorization, traceparent, tracestate, baggage };
  }

  #line(service: string): WaitingLine<GivenJob> {
    let line = this.#lines.get(service);
    if (line === undefined) this.#lines.set(service, (line = new WaitingLine()));
    return line;
  }
}
