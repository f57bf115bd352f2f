import { getLogger } from "../log/logging.ts";
import type { Signal } from "../export/find-endpoint.ts";

/** Numbers of spans or log records by outcome. */
export interface ExportCounts {
  exported: number;
  /** Number of items that the collector has refused, or that could not be delivered. */
  failed: number;
  /** Number of items that were dropped because the queue was full. */
  dropped: number;
}

/** Milliseconds between two warnings of one signal. */
const interval = 60_000;
const nouns: Readonly<Record<Signal, string>> = { traces: "spans", metrics: "metrics", logs: "log records" };

/** Counts exported and lost data, and logs losses at most once a minute. */
export class ExportWatch {
  readonly counts: ExportCounts = { exported: 0, failed: 0, dropped: 0 };
  readonly #signal: Signal;
  readonly #where: string;
  readonly #now: () => number;
  #told = { failed: 0, dropped: 0, at: -interval };
  #reason = "";
  #taken = 0;
  #handedOver = 0;

  constructor(signal: Signal, url: string, now: () => number = () => performance.now()) {
    this.#signal = signal;
    const { origin, pathname } = new URL(url);
    // The query of the URL is left out, since it may contain a key.
    this.#where = origin + pathname;
    this.#now = now;
  }

  /** Counts an item that enters the queue in front of the exporter. */
  taken(): void {
    this.#taken += 1;
  }

  /** Number of items that have neither been sent nor lost: they are in the queue, or being sent. */
  get pending(): number {
    const { exported, failed, dropped } = this.counts;
    return this.#taken - exported - failed - dropped;
  }

  /** Counts items that leave the queue for the exporter. */
  handedOver(count: number): void {
    this.#handedOver += count;
  }

  /** Number of items in the queue. */
  get queued(): number {
    return this.#taken - this.#handedOver - this.counts.dropped;
  }

  /** Number of losses that no warning has reported yet: warnings come at most once a minute. */
  get untold(): number {
    const { failed, dropped } = this.counts;
    return failed + dropped - this.#told.failed - this.#told.dropped;
  }

  /**
   * Counts an item that was not created because the queue is full. The loss is reported at the end of the next export.
   */
  spared(): void {
    this.#taken += 1;
    this.counts.dropped += 1;
  }

  /**
   * Called when all exports have ended. Items that were not counted yet were dropped during shutdown, which the SDK
   * does not report.
   */
  ended(): void {
    const { exported, failed, dropped } = this.counts;
    this.counts.dropped = Math.max(dropped, this.#taken - exported - failed);
    if (this.untold > 0) this.#tell(true);
  }

  exported(count: number): void {
    this.counts.exported += count;
    if (this.untold > 0) this.#tell();
  }

  failed(count: number, error: unknown): void {
    this.counts.failed += count;
    this.#reason = reasonOf(error);
    this.#tell();
  }

  dropped(count: number): void {
    this.counts.dropped += count;
    this.#tell();
  }

  #tell(isLast = false): void {
    const now = this.#now();
    if (!isLast && now - this.#told.at < interval) return;
    const { failed, dropped } = this.counts;
    const noun = nouns[this.#signal];
    const parts = [
      ...(failed > this.#told.failed
        ? [`${failed - this.#told.failed} ${noun} did not arrive at ${this.#where} (${this.#reason})`]
        : []),
      ...(dropped > this.#told.dropped
        ? [`${dropped - this.#told.dropped} ${noun} were dropped, since the queue was full`]
        : []),
    ];
    this.#told = { failed, dropped, at: now };
    getLogger("tenon").warn(`telemetry: ${parts.join("; ")}`);
  }
}

/** The error's code is preferred, since texts come from the collector. */
function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === "number") return `status ${code}`;
  if (typeof code === "string" && code !== "") return code;
  return typeof message === "string" ? message.slice(0, 200) : "unknown reason";
}
