import type { JsonObject } from "../../../runtime/contract/contract.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { Parking } from "../../../runtime/job/steps/kept-step.ts";
import type { RenewAnswer, StoredOutcome, WriteAnswer } from "../../../runtime/executor/store/job-store.ts";
import { HandOut, type Asking, type GivenJob } from "./hand-out.ts";
import { Intake } from "./intake.ts";
import type { JobHub } from "./job-hub.ts";
import type { NumberedEvent } from "./job-news.ts";
import { failedWith, isSame } from "./job-outcome.ts";
import type { HeldJob, JobTokens } from "./job-token.ts";
import { KeptJobs } from "./kept-jobs.ts";
import { KnownJobs, type PlatformStore } from "./known-jobs.ts";
import type { JobRequest, SettleAnswer, TakenJob } from "./job-request.ts";
import { LeaseWatch } from "./lease-watch.ts";
import { Rounds } from "./rounds.ts";
import { WakeTimes } from "./wake-times.ts";

export interface JobQueueOptions {
  readonly store: PlatformStore;
  readonly tokens: JobTokens;
  readonly hub: JobHub;
  readonly leaseSeconds: number;
}

/** The jobs of all services: their storage, the waiting workers, and the listeners. It contains no HTTP. */
export class JobQueue {
  readonly leaseSeconds: number;
  /** The timer rounds in which {@link reap} runs. */
  readonly rounds: Rounds;
  readonly known: KnownJobs;
  readonly kept: KeptJobs;
  readonly #store: PlatformStore;
  readonly #hub: JobHub;
  readonly #leases: LeaseWatch;
  readonly #handOut: HandOut;
  readonly #intake: Intake;
  readonly #wakeTimes = new WakeTimes();
  #hasReaped = false;

  constructor({ store, tokens, hub, leaseSeconds }: JobQueueOptions) {
    this.leaseSeconds = leaseSeconds;
    this.rounds = new Rounds(Math.min(1000, (leaseSeconds * 1000) / 3));
    this.known = new KnownJobs(store);
    this.#store = store;
    this.#hub = hub;
    this.#leases = new LeaseWatch(leaseSeconds);
    this.#handOut = new HandOut({ store, tokens, hub, leases: this.#leases, leaseSeconds });
    this.kept = new KeptJobs(store, this.#handOut);
    this.#intake = new Intake({ store, hub, handOut: this.#handOut, leaseSeconds });
    // Wakes workers when the store reports that jobs may be ready: any replica may have stored them, the end of a job
    // may admit a waiting one, and a rate or a debounce may have let one start. Changes by this process also wake its
    // workers directly.
    store.ready((services) => {
      if (services === undefined) this.#handOut.wakeAll();
      for (const service of services ?? []) this.#handOut.wakeAllOf(service);
    });
  }

  /** See {@link Intake.submit}. */
  submit(request: JobRequest): Promise<TakenJob> {
    return this.#intake.submit(request);
  }

  /** See {@link HandOut.next}. */
  next(service: string, asking: Asking): Promise<GivenJob | undefined> {
    return this.#handOut.next(service, asking);
  }

  async renew(held: HeldJob): Promise<RenewAnswer> {
    const answer = await this.#store.renew(held.lease, this.leaseSeconds);
    if (answer === "ok") this.#leases.see(held);
    return answer;
  }

  /** @param sequence The event's number within the attempt, from 1; default: the next one */
  async addEvent(held: HeldJob, body: JsonObject, sequence?: number): Promise<WriteAnswer> {
    const { lease, service } = held;
    const number = sequence === undefined ? await this.#nextNumber(held) : held.lastSequence + sequence;
    const event: NumberedEvent = { sequence: number, body };
    const answer = await this.#store.progress(lease, [event]);
    if (answer === "ok" && this.#leases.isNews(held, event.sequence) && this.#hub.hears(lease.id)) {
      this.#hub.tell({ kind: "event", id: lease.id, service, event });
    }
    return answer;
  }

  /** Releases a job until a time or a message, without counting the attempt. */
  async park(held: HeldJob, parking: Parking): Promise<WriteAnswer> {
    const answer = await this.#store.park(held.lease, parking);
    if (answer !== "ok") return answer;
    this.#released(held);
    this.#wakeTimes.add(parking);
    // Wakes the workers of the service, since a message for the job may have arrived before it was parked.
    this.#handOut.wake(held.service);
    return "ok";
  }

  /** Stores the outcome of a job. */
  async settle(held: HeldJob, outcome: StoredOutcome): Promise<SettleAnswer> {
    const { lease, service } = held;
    const answer = await this.#store.settle(lease, outcome);
    if (answer === "ok") {
      this.#ended(lease.id, service, outcome);
      return "stored";
    }
    if (answer !== "ended") return answer === "unknown" ? "gone" : "stale";
    const record = await this.#store.get(lease.id);
    if (record?.outcome === undefined || record.outcome.state === "cancelled") return "gone";
    return record.attempt === lease.attempt && isSame(record.outcome, outcome) ? "same" : "stale";
  }

  /** Releases a job without counting the attempt; it can be handed out again after `delay` seconds. */
  async release(held: HeldJob, delay = 0): Promise<WriteAnswer> {
    const { lease, service } = held;
    const answer = await this.#store.release(lease, delay);
    if (answer !== "ok") return answer;
    this.#released(held);
    if (delay > 0) setTimeout(() => this.#handOut.wake(service), delay * 1000).unref();
    else this.#handOut.wake(service);
    return "ok";
  }

  /** Ends the attempt of a dead worker; it counts like an expired lease. */
  async lose(held: HeldJob, reason: string): Promise<WriteAnswer> {
    const answer = await this.#store.lose(held.lease, reason);
    if (answer === "ok") await this.#look(held.lease.id);
    return answer;
  }

  async cancel(id: JobUrn, reason: string): Promise<WriteAnswer> {
    const record = await this.#store.get(id);
    const answer = await this.#store.cancel(id, reason);
    if (answer === "ok" && record !== undefined) this.#ended(id, record.tool, failedWith("cancelled", reason));
    return answer;
  }

  /** Puts a dead letter back with all its attempts. */
  async redrive(id: JobUrn): Promise<"ok" | "unknown"> {
    const answer = await this.#store.redrive(id);
    const record = answer === "ok" ? await this.#store.get(id) : undefined;
    if (record === undefined) return answer;
    if (this.#hub.hears(id)) this.#hub.tell({ kind: "state", id, service: record.tool, state: { status: "pending" } });
    this.#handOut.wake(record.tool);
    return answer;
  }

  /** Puts back jobs with expired leases, and notifies listeners of jobs that ended because of that. */
  async reap(): Promise<void> {
    const hasPaused = this.rounds.begin();
    // In the first round after a pause of this process, leases may have expired only because workers could not renew
    // them. A store without replicas therefore extends leases when it is opened.
    const isFirst = this.#store.isShared === true && !this.#hasReaped;
    this.#hasReaped = true;
    if (hasPaused || isFirst) await this.#store.extendLeases?.(this.leaseSeconds * 1000);
    await this.#store.reap();
    const late = new Set([...this.#leases.late(), ...this.#hub.followed]);
    for (const id of late) await this.#look(id);
    // Wakes the waiting workers of every service, since leases of an earlier process are not known here. Replicas
    // notify one another instead.
    if (this.#store.isShared !== true || this.#wakeTimes.areDue()) this.#handOut.wakeAll();
  }

  /** Stops accepting and handing out jobs; all waiting workers get an empty answer. */
  drain(): void {
    this.#intake.drain();
    this.#handOut.drain();
  }

  async #nextNumber(held: HeldJob): Promise<number> {
    if (this.#store.isShared === true || !this.#leases.knows(held)) {
      // An earlier process or another replica has handed out the lease or stored an event, so the event numbers are
      // read from the store.
      const record = await this.#store.get(held.lease.id);
      this.#leases.isNews(held, record?.events.at(-1)?.sequence ?? held.lastSequence);
    }
    return this.#leases.nextNumber(held);
  }

  /** Checks for a job that has ended or waits again without a notification. */
  async #look(id: JobUrn): Promise<void> {
    const record = await this.#store.get(id);
    if (record?.outcome !== undefined) this.#ended(id, record.tool, record.outcome);
    else if (record?.state === "pending" && this.#forget(id, record.tool)) {
      const state = { status: "released", attempt: record.attempt } as const;
      this.#hub.tell({ kind: "state", id, service: record.tool, state });
      this.#handOut.wake(record.tool);
    } else if (record?.state === "executing" && this.#store.isShared === true) this.#leases.seeAgain(id);
  }

  /** Called when no worker holds a job any more; returns true when its lease was known here. */
  #forget(id: JobUrn, service: string): boolean {
    const known = this.#leases.forget(id);
    this.#handOut.freed(service, id);
    return known;
  }

  /** Forgets the lease of a job that its worker has given back, and notifies listeners. */
  #released({ lease, service }: HeldJob): void {
    const { id, attempt } = lease;
    this.#forget(id, service);
    if (this.#hub.hears(id)) this.#hub.tell({ kind: "state", id, service, state: { status: "released", attempt } });
  }

  #ended(id: JobUrn, service: string, outcome: StoredOutcome): void {
    this.#forget(id, service);
    if (this.#hub.hears(id)) this.#hub.tell({ kind: "end", id, service, outcome });
  }
}
