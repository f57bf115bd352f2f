import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { getLogger } from "../../../telemetry/log/logging.ts";
import type { JobNews } from "../job-news.ts";
import { channelOf, hear } from "./channel.ts";
import { Connector } from "./connection/connection.ts";
import type { Client } from "./connection/load-pg.ts";
import { explainPostgres, toStoreError } from "./connection/postgres-error.ts";
import type { Negotiation } from "./connection/tls.ts";

interface Timing {
  /** Milliseconds between two polls while notifications cannot arrive. */
  readonly lookEvery: number;
  /** Milliseconds between two checks that the connection is alive: a half-open connection is just silent. */
  readonly proveEvery: number;
  /** Milliseconds after which an answer, or a message to itself, counts as lost. */
  readonly patience: number;
}

const usual: Timing = { lookEvery: 2000, proveEvery: 10_000, patience: 5000 };
const farewell = 1000;
const firstPause = 500;
const maxPause = 15_000;

export interface ListenerOptions {
  /**
   * Negotiation with the server itself, since a pooler does not pass messages on. For the store's own address it is
   * the store's, so that this connection cannot be downgraded from TLS either.
   */
  readonly negotiation: Negotiation;
  /** Schema of the jobs. */
  readonly schema: string;
  readonly news: JobNews;
  /** Sends a message to the channel, on another connection. */
  readonly send: (channel: string, payload: string) => Promise<unknown>;
  /** Shorter times of a test. */
  readonly timing?: Timing;
}

/**
 * Receives the notifications of all replicas, on a separate connection. While that connection is down, every watcher
 * polls every two seconds, and the log gives the reason.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #channel: string;
  readonly #timing: Timing;
  readonly #connector: Connector;
  #client: Client | undefined;
  #looking: NodeJS.Timeout | undefined;
  #proving: NodeJS.Timeout | undefined;
  #isConnecting = false;
  readonly #closed = new AbortController();
  /** Called when the listener's message to itself has arrived. */
  #onProof: ((payload: string) => void) | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#channel = channelOf(options.schema);
    const { patience } = (this.#timing = options.timing ?? usual);
    this.#connector = new Connector(options.negotiation, {
      name: "tenon listen",
      connectPatience: patience,
      answerPatience: patience,
    });
  }

  /** Connects. Throws a `StoreError` when the address cannot be used. Later, it reconnects automatically. */
  async start(): Promise<void> {
    const { address } = this.#options.negotiation;
    if (!address.listens) {
      this.#look();
      return;
    }
    let client: Client;
    try {
      client = await this.#connect();
    } catch (error) {
      throw toStoreError(error, address);
    }
    // The check is not awaited: until it succeeds, polling finds the changes.
    void this.#prove(client).then(
      () => this.#listen(client),
      (error: unknown) => this.#lost(client, error),
    );
  }

  /** Sends a message to all replicas. */
  send(payload: string): Promise<unknown> {
    return this.#options.send(this.#channel, payload);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    clearInterval(this.#looking);
    clearInterval(this.#proving);
    const client = this.#client;
    this.#client = undefined;
    // The wait for the end is short, since the other side of a half-open connection does not answer.
    await Promise.race([client?.end().catch(() => {}), sleep(farewell, undefined, { ref: false })]);
  }

  async #connect(): Promise<Client> {
    const client = await this.#connector.client((made) => {
      made.on("error", (error) => this.#lost(made, error));
      made.on("end", () => this.#lost(made, new Error("Connection terminated")));
      made.on("notification", ({ payload = "" }) => {
        if (payload.startsWith("?")) this.#onProof?.(payload);
        else hear(payload, this.#options.news);
      });
    });
    this.#client = client;
    try {
      if (this.#closed.signal.aborted) throw new Error("Connection terminated");
      await client.query(`LISTEN ${this.#channel}`);
    } catch (error) {
      this.#client = undefined;
      await client.end().catch(() => {});
      throw error;
    }
    return client;
  }

  /**
   * Rejects when a message that was sent over another connection does not arrive: a pooler accepts LISTEN, but does not
   * pass messages on.
   */
  async #prove(client: Client): Promise<void> {
    const own = `?${randomUUID()}`;
    const come = new Promise<void>((resolve) => {
      this.#onProof = (payload) => {
        if (payload === own) resolve();
      };
    });
    await this.#options.send(this.#channel, own);
    const late = sleep(this.#timing.patience, undefined, { ref: false, signal: this.#closed.signal }).then(() => {
      throw new Error("it passes no messages on, as a pooler in transaction mode");
    });
    await Promise.race([come, late]);
    if (this.#client !== client) throw new Error("Connection terminated");
  }

  #listen(client: Client): void {
    if (this.#looking !== undefined)
      getLogger("tenon").info("The job store receives notifications of other replicas again.");
    clearInterval(this.#looking);
    this.#looking = undefined;
    this.#missed();
    let isAsking = false;
    const over = (): void => void (isAsking = false);
    this.#proving = setInterval(() => {
      if (isAsking) return;
      isAsking = true;
      client.query("SELECT 1").then(over, (error: unknown) => this.#lost(client, error));
    }, this.#timing.proveEvery).unref();
  }

  #lost(client: Client, error: unknown): void {
    if (this.#client !== client || this.#closed.signal.aborted) return;
    this.#client = undefined;
    clearInterval(this.#proving);
    client.end().catch(() => {});
    if (this.#looking === undefined) {
      const { shown, schema } = this.#options.negotiation.address;
      getLogger("tenon").warn(
        `The job store receives no notifications of other replicas, and polls every ${this.#timing.lookEvery / 1000} s until it can: ${explainPostgres(error, shown, schema)} Behind a pooler, set TENON_STORE_LISTEN_URL to the server's own address, or add ?listen=off to TENON_STORE.`,
      );
      this.#look();
    }
    if (!this.#isConnecting) void this.#again();
  }

  async #again(): Promise<void> {
    const { signal } = this.#closed;
    this.#isConnecting = true;
    for (let pause = firstPause; !signal.aborted; pause = Math.min(pause * 2, maxPause)) {
      await sleep(pause, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        const client = await this.#connect();
        await this.#prove(client);
        this.#isConnecting = false;
        this.#listen(client);
        return;
      } catch {
        const client = this.#client;
        this.#client = undefined;
        client?.end().catch(() => {});
      }
    }
  }

  #look(): void {
    this.#looking ??= setInterval(() => this.#missed(), this.#timing.lookEvery).unref();
  }

  #missed(): void {
    this.#options.news.tellUnknown();
    this.#options.news.tellReady(undefined);
  }
}
