import { AsyncLocalStorage } from "node:async_hooks";
import { isDeepStrictEqual } from "node:util";
import { createSidecarSink, type SidecarSink } from "./sidecar-sink.ts";
import type { EventSink } from "../../../job/sink.ts";
import type { Job, JobOutcome, JobUrn } from "../../../job/job.ts";
import { getLogger } from "../../../telemetry/log/logging.ts";
import type { CallOwner } from "../sidecar/call-owner.ts";
import { systemClock, type Clock } from "../../../base/clock.ts";
import { pushResult, saveResult, type PushOptions } from "./push-result.ts";
import { packResult, type ResultRequest } from "./result-request.ts";
import { deliveryToLog, type Delivered, type Delivery, type DeliveryConfig } from "./delivery-to-log.ts";
import { createSidecarClient, type SidecarClient } from "../sidecar/sidecar-client.ts";
import { openSpool, type SavedResult } from "./spool.ts";

/** Number of results of deferred calls that are sent at the same time; others wait on disk. */
const maxPushes = 64;
/** Number of results on disk that are sent at the same time. */
const maxSenders = 8;
/** Milliseconds for pending items when the process ends. */
const closePatience = 2000;

export interface DeliveryOptions {
  readonly clock?: Clock;
  readonly client?: SidecarClient;
  /** Timeout of one call in milliseconds, for events and for results. */
  readonly timeout?: number;
}

/** Creates the delivery for a configuration. */
export function createDelivery(config: DeliveryConfig, options: DeliveryOptions = {}): Delivery {
  const { platformBaseUrl, flags, spoolDir } = config;
  if (platformBaseUrl === undefined || flags.testWithoutSidecar) return deliveryToLog(config);
  const { clock = systemClock, client = createSidecarClient(platformBaseUrl), timeout } = options;
  const limit = timeout === undefined ? {} : { timeout };
  const sink = createSidecarSink({ client, clock, ...limit });
  return new SidecarDelivery(sink, { client, clock, spool: openSpool(spoolDir), ...limit });
}

class SidecarDelivery implements Delivery {
  readonly sinks: readonly EventSink[];
  readonly reportsResults = true;
  readonly #sink: SidecarSink;
  readonly #options: PushOptions;
  /** Options for results that nobody waits for: those that the sidecar does not take let others go first. */
  readonly #inTurns: PushOptions;
  readonly #stop = new AbortController();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #reported = new WeakSet<Job>();
  /** Files of results on disk that wait for their turn. */
  readonly #waiting: string[] = [];
  /** Files of results on disk whose process has ended, and could not send the events saved with them. */
  readonly #left = new Set<string>();
  #pushes = 0;
  #senders = 0;

  constructor(sink: SidecarSink, options: Omit<PushOptions, "signal">) {
    this.#sink = sink;
    this.#options = { ...options, signal: this.#stop.signal };
    this.#inTurns = { ...this.#options, makeWay: (file) => this.#waiting.length > 0 && this.#waiting.push(file) > 0 };
    this.sinks = [{ emit: (source, event) => sink.emit(source, event), flush: (id) => sink.flush(id) }];
  }

  report(job: Job, owner: CallOwner): void {
    // The result of a job is reported once, even if several callers wait for the job.
    if (this.#reported.has(job)) return;
    this.#reported.add(job);
    job.onEnd((outcome) => {
      this.#outside(() => this.#track(this.#report(job.id, owner, outcome)));
    });
  }

  flush(id: JobUrn): Promise<void> {
    return this.#sink.flush(id);
  }

  catchUp(id: JobUrn): Promise<void> | undefined {
    return this.#sink.catchUp(id);
  }

  deliver(id: JobUrn, pack: () => Promise<ResultRequest | undefined>, makeWay?: () => void): Promise<Delivered> {
    // The result is pushed on here, since the lease of its job is renewed until then.
    const push = makeWay === undefined ? this.#options : { ...this.#options, makeWay: () => (makeWay(), false) };
    return this.#track(this.#deliver(id, pack, push));
  }

  redeliver(): Promise<void> {
    return this.#track(this.#redeliver());
  }

  async close(patience = closePatience): Promise<void> {
    const { clock, client } = this.#options;
    const over = new AbortController();
    const events = this.#sink.close(patience);
    await Promise.race([Promise.all([events, this.#settled()]), clock.sleep(patience, over.signal)]);
    over.abort();
    this.#stop.abort();
    await events;
    await this.#settled();
    client.close();
  }

  async #settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async #report(id: JobUrn, owner: CallOwner, outcome: JobOutcome): Promise<void> {
    const request = await packResult(id, owner, outcome);
    // If too many results are under way, the others wait on disk instead of being held in memory.
    const saved = this.#pushes < maxPushes ? undefined : await this.#save(id, request);
    if (saved !== undefined) return this.#sendInTurn([saved.file]);
    this.#pushes++;
    await this.#deliver(id, () => Promise.resolve(request), this.#inTurns);
    this.#pushes--;
  }

  async #deliver(id: JobUrn, pack: () => Promise<ResultRequest | undefined>, options: PushOptions): Promise<Delivered> {
    const saved = await this.#saveBehindEvents(id, pack);
    await this.#sink.flush(id);
    const request = await pack();
    // If the job was handed out again or dropped meanwhile, the sidecar would refuse what was saved.
    const isSame = saved === undefined || isDeepStrictEqual(saved.request, request);
    if (!isSame) await saved.remove().catch(() => {});
    if (request === undefined) return { end: "stale" };
    return { request, end: await pushResult(request, options, isSame ? saved : undefined) };
  }

  /** Saves a result whose events the sidecar does not take at once, so that it survives if the process is killed. */
  async #saveBehindEvents(
    id: JobUrn,
    pack: () => Promise<ResultRequest | undefined>,
  ): Promise<SavedResult | undefined> {
    await this.#sink.catchUp(id);
    if (this.#sink.waiting(id).length === 0) return undefined;
    const request = await pack();
    return request && this.#save(id, request);
  }

  /** Saves a result with the events before it that wait: without them, the job's record would have a gap. */
  async #save(id: JobUrn, request: ResultRequest): Promise<SavedResult | undefined> {
    const events = this.#sink.waiting(id);
    const saved = await saveResult(this.#options.spool, request, { events });
    if (saved !== undefined && saved.events.length > 0) this.#sink.saved(id);
    return saved;
  }

  async #redeliver(): Promise<void> {
    const files = await this.#options.spool.list();
    for (const file of files) this.#left.add(file);
    await this.#sendInTurn(files);
  }

  /** Sends saved results, a few at the same time, so that none blocks the others. */
  async #sendInTurn(files: readonly string[]): Promise<void> {
    for (const file of files) this.#waiting.push(file);
    const senders: Promise<void>[] = [];
    while (this.#senders < maxSenders && this.#waiting.length > 0) senders.push(this.#sendWaiting());
    await Promise.all(senders);
  }

  async #sendWaiting(): Promise<void> {
    this.#senders++;
    for (let file = this.#waiting.shift(); file !== undefined; file = this.#waiting.shift()) {
      if (!this.#stop.signal.aborted) await this.#sendFile(file);
    }
    this.#senders--;
  }

  async #sendFile(file: string): Promise<void> {
    const saved = await this.#options.spool.read(file, (unreadable) => {
      getLogger("tenon").error({ file: `${unreadable}.unreadable` }, "a result on disk cannot be read and is not sent");
    });
    if (saved === undefined) return;
    const { request, events } = saved;
    await this.#sink.flush(request.id as JobUrn);
    // Events that this process reported have been delivered by that.
    if (this.#left.delete(file)) await this.#sink.resend(request, events);
    await pushResult(request, this.#inTurns, saved);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
    return work;
  }
}
