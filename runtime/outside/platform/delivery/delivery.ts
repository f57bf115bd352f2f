import { AsyncLocalStorage } from "node:async_hooks";
import { createSidecarSink, type SidecarSink } from "./sidecar-sink.ts";
import type { EventSink } from "../../../job/sink.ts";
import type { Job, JobOutcome, JobUrn } from "../../../job/job.ts";
import { getLogger } from "../../../telemetry/log/logging.ts";
import type { CallOwner } from "../sidecar/call-owner.ts";
import { systemClock, type Clock } from "../../../base/clock.ts";
import { pushResult, type PushEnd, type PushOptions } from "./push-result.ts";
import { packResult, type ResultRequest } from "./result-request.ts";
import { deliveryToLog, type Delivery, type DeliveryConfig } from "./delivery-to-log.ts";
import { createSidecarClient, type SidecarClient } from "../sidecar/sidecar-client.ts";
import { openSpool } from "./spool.ts";

/** Number of results of deferred calls that are sent at the same time; others wait on disk. */
const maxPushes = 64;
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
  readonly #stop = new AbortController();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #reported = new WeakSet<Job>();
  #pushes = 0;
  #spooled = false;

  constructor(sink: SidecarSink, options: Omit<PushOptions, "signal">) {
    this.#sink = sink;
    this.#options = { ...options, signal: this.#stop.signal };
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

  deliver(id: JobUrn, request: ResultRequest): Promise<PushEnd> {
    return this.#track(this.#deliver(id, request));
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
    if (this.#pushes < maxPushes) {
      await this.#deliver(id, request);
      return;
    }
    // If too many results are waiting, they are saved to disk instead of being held in memory: with an aborted signal,
    // a push only saves its result.
    this.#spooled = true;
    await pushResult(request, { ...this.#options, signal: AbortSignal.abort() });
  }

  async #deliver(id: JobUrn, request: ResultRequest): Promise<PushEnd> {
    this.#pushes++;
    await this.#sink.flush(id);
    const end = await pushResult(request, this.#options);
    this.#pushes--;
    if (this.#pushes === 0 && this.#spooled && end === "stored") {
      this.#spooled = false;
      void this.redeliver();
    }
    return end;
  }

  async #redeliver(): Promise<void> {
    const onUnreadable = (file: string): void => {
      getLogger("tenon").error({ file: `${file}.unreadable` }, "a result on disk cannot be read and is not sent");
    };
    for await (const left of this.#options.spool.leftOver(onUnreadable)) {
      await this.#sink.flush(left.request.id as JobUrn);
      if (this.#stop.signal.aborted) return;
      await pushResult(left.request, this.#options, left);
    }
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
    return work;
  }
}
