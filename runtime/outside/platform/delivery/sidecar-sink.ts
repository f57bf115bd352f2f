import { AsyncLocalStorage } from "node:async_hooks";
import type { JobEvent, JobUrn } from "../../../job/job.ts";
import { backOff } from "../sidecar/back-off.ts";
import { ownHeaders } from "../sidecar/call-owner.ts";
import type { Clock } from "../../../base/clock.ts";
import { call } from "../sidecar/judge-answer.ts";
import { sidecarPath, type SidecarClient } from "../sidecar/sidecar-client.ts";
import { getLogger } from "../../../telemetry/log/logging.ts";
import { EventLosses } from "./event-losses.ts";
import { EventQueue } from "./event-queue.ts";
import { EventRoom, type EventAmount } from "./event-room.ts";
import type { ResultRequest } from "./result-request.ts";
import type { EventSink, EventSource } from "../../../job/sink.ts";

const defaultCapacity: EventAmount = { count: 10_000, size: 64 * 1024 * 1024 };
const defaultTimeout = 10_000;
/** Milliseconds that a caller waits for its job's events to be delivered. */
const callerPatience = 1000;
/** Milliseconds that a result waits for events while the sidecar answers but does not accept them. */
const defaultPatience = 30_000;

export interface SidecarSinkOptions {
  readonly client: SidecarClient;
  readonly clock: Clock;
  /** Maximum of waiting events of all jobs; default 10 000 and 64 MiB. */
  readonly capacity?: EventAmount;
  /** Timeout of one call in milliseconds; default 10 s. */
  readonly timeout?: number;
  /** Milliseconds; default 30 s. */
  readonly patience?: number;
}

/** A sink that delivers over the network. */
export interface SidecarSink extends EventSink {
  flush(id: JobUrn): Promise<void>;
  /**
   * Flushes a job's events for a waiting caller. Resolves when all events are delivered, when one event fails at its
   * first try, or after a second. Undefined when there is nothing to wait for.
   */
  catchUp(id: JobUrn): Promise<void> | undefined;
  /** Returns the events of a job that wait for their delivery. */
  waiting(id: JobUrn): readonly JobEvent["body"][];
  /** Notes that waiting events of a job are on disk. */
  saved(id: JobUrn): void;
  /** Sends events that were saved with a result, under its attempt. Resolves when all are delivered or dropped. */
  resend(result: Pick<ResultRequest, "id" | "headers">, events: readonly JobEvent["body"][]): Promise<void>;
  /** Accepts no more events, delivers waiting ones for up to `patience` milliseconds, and drops the rest. */
  close(patience?: number): Promise<void>;
}

/**
 * Posts events to the sidecar, one request each; the events of one job in order, one after the other. Emitting only
 * puts the event into a bounded queue. Events that do not fit or cannot be delivered are counted and logged.
 */
export function createSidecarSink(options: SidecarSinkOptions): SidecarSink {
  return new QueueingSink(options);
}

class QueueingSink implements SidecarSink {
  readonly #client: SidecarClient;
  readonly #clock: Clock;
  readonly #room: EventRoom;
  readonly #losses = new EventLosses();
  readonly #timeout: number;
  readonly #patience: number;
  readonly #queues = new Map<JobUrn, EventQueue>();
  readonly #stop = new AbortController();
  // Events are reported in a job, but their delivery must not run in the job's context.
  readonly #outside = AsyncLocalStorage.snapshot();
  #fresh: EventQueue[] = [];
  #closed = false;

  constructor(options: SidecarSinkOptions) {
    this.#client = options.client;
    this.#clock = options.clock;
    this.#room = new EventRoom(options.capacity ?? defaultCapacity);
    this.#timeout = options.timeout ?? defaultTimeout;
    this.#patience = options.patience ?? defaultPatience;
  }

  emit(source: EventSource, { body }: JobEvent): void {
    if (this.#closed) return;
    let queue = this.#queues.get(source.id);
    if (queue === undefined) {
      queue = new EventQueue(source);
      this.#queues.set(source.id, queue);
      this.#wake(queue);
    } else if (queue.isOther(source)) this.#begin(queue, source);
    this.#add(queue, body);
  }

  #add(queue: EventQueue, body: JobEvent["body"]): void {
    const size = this.#room.take(body);
    if (size !== undefined) queue.push(body, size);
    else this.#losses.lose(queue.id, "event dropped: too many events wait for the sidecar");
  }

  flush(id: JobUrn): Promise<void> {
    const queue = this.#queues.get(id);
    if (queue === undefined) {
      this.#losses.tell(id, true);
      return Promise.resolve();
    }
    queue.awaitedSince ??= this.#clock.now();
    return new Promise((resolve) => queue.waiters.push(resolve));
  }

  catchUp(id: JobUrn): Promise<void> | undefined {
    const queue = this.#queues.get(id);
    if (queue === undefined) this.#losses.tell(id, true);
    if (queue === undefined || queue.pause !== undefined) return undefined;
    return this.#outside(() => this.#awaitBriefly(queue));
  }

  waiting(id: JobUrn): readonly JobEvent["body"][] {
    return this.#queues.get(id)?.waiting() ?? [];
  }

  saved(id: JobUrn): void {
    const queue = this.#queues.get(id);
    if (queue !== undefined) queue.isSaved = true;
  }

  resend({ id, headers }: Pick<ResultRequest, "id" | "headers">, events: readonly JobEvent["body"][]): Promise<void> {
    const queue = new EventQueue({ id: id as JobUrn, authorization: undefined, attempt: { id, headers } });
    queue.awaitedSince = this.#clock.now();
    queue.isSaved = true;
    for (const body of events) this.#add(queue, body);
    return this.#deliver(queue);
  }

  async #awaitBriefly(queue: EventQueue): Promise<void> {
    const over = new AbortController();
    const settled = new Promise<void>((resolve) => queue.callers.push(resolve));
    await Promise.race([settled, this.#clock.sleep(callerPatience, over.signal)]);
    over.abort();
  }

  async close(patience = 0): Promise<void> {
    this.#closed = true;
    const all = Promise.all([...this.#queues.keys()].map((id) => this.flush(id)));
    const over = new AbortController();
    await Promise.race([all, this.#clock.sleep(patience, over.signal)]);
    over.abort();
    this.#stop.abort();
    await all;
    this.#losses.close();
  }

  /** Schedules delivery soon, so that the worker which has just reported its first event continues first. */
  #wake(queue: EventQueue): void {
    if (this.#fresh.push(queue) > 1) return;
    this.#outside(setImmediate, () => {
      const fresh = this.#fresh;
      this.#fresh = [];
      for (const started of fresh) void this.#deliver(started);
    });
  }

  async #deliver(queue: EventQueue): Promise<void> {
    let failures = 0;
    for (let body = queue.first; body !== undefined; body = queue.first) {
      const { owner } = queue;
      const verdict = await call(this.#client, {
        method: "POST",
        path: sidecarPath("events", owner.attempt?.id ?? queue.id),
        headers: { ...ownHeaders(owner), "Content-Type": "application/json" },
        body: JSON.stringify(body),
        timeout: this.#timeout,
        signal: this.#stop.signal,
      });
      if (queue.owner !== owner) {
        // The failure does not count, since the event belonged to an attempt that has ended.
        failures = 0;
        continue;
      }
      if (verdict.kind === "accepted" || verdict.kind === "refused") {
        if (verdict.kind === "refused") this.#losses.lose(queue.id, "event refused", { reason: verdict.reason });
        failures = 0;
        this.#room.free(queue.pass());
        continue;
      }
      failures++;
      const isOver = verdict.kind !== "failed" || (verdict.reachable && this.#isOverdue(queue));
      if (isOver) this.#giveUp(queue, verdict.kind === "aborted");
      else {
        if (failures === 1) {
          getLogger("tenon").warn(
            { job_id: queue.id, reason: verdict.reason },
            "event not delivered yet, trying again",
          );
        }
        await this.#pause(queue, backOff(failures, this.#clock.random, verdict.retryAfter));
        if (queue.owner !== owner) failures = 0;
      }
    }
    if (this.#queues.get(queue.id) === queue) this.#queues.delete(queue.id);
    this.#losses.tell(queue.id, queue.awaitedSince !== undefined || queue.callers.length > 0);
    queue.tellCallers();
    queue.tellWaiters();
  }

  #begin(queue: EventQueue, source: EventSource): void {
    this.#room.free(queue.drop());
    this.#losses.forget(queue.id);
    queue.begin(source);
    if (queue.awaitedSince !== undefined) queue.awaitedSince = this.#clock.now();
  }

  async #pause(queue: EventQueue, ms: number): Promise<void> {
    queue.pause = new AbortController();
    queue.tellCallers();
    await this.#clock.sleep(ms, AbortSignal.any([this.#stop.signal, queue.pause.signal]));
    queue.pause = undefined;
  }

  /**
   * True if a result waits and the sidecar answers without accepting the events. If it does not answer, the result
   * could not be delivered either.
   */
  #isOverdue({ awaitedSince }: EventQueue): boolean {
    return awaitedSince !== undefined && this.#clock.now() - awaitedSince >= this.#patience;
  }

  #giveUp(queue: EventQueue, isEnd: boolean): void {
    const dropped = queue.drop();
    this.#room.free(dropped);
    // At the end of the process, events on disk are not lost.
    if (!isEnd || !queue.isSaved) this.#losses.giveUp(queue.id, dropped.count);
  }
}
