import { AsyncLocalStorage } from "node:async_hooks";
import type { MessagePort, Worker } from "node:worker_threads";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { sidecarPath } from "../../outside/platform/sidecar/sidecar-client.ts";
import { leaseThreadText } from "./lease-thread-text.ts";
import type { LeaseNews, LeaseOrder } from "./lease-thread.ts";

/** Minimum milliseconds between two renewals, however short the lease is. */
const shortestEvery = 100;

/** A lease from the sidecar, given with a job. */
export interface Lease {
  /** The job's id at the sidecar. */
  readonly id: string;
  /** Headers with token and attempt. */
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/**
 * Called once when the job must stop, because it was cancelled or because this worker has lost the lease. Before that,
 * once when a renewal has failed, and once when the lease must have run out without one.
 */
export type LeaseListener = (kind: LeaseNews["kind"], reason: string) => void;

/** Renews the leases of running jobs. */
export interface LeaseKeeper {
  /** Renews a lease each time a third of it has passed. Returns a function that stops the renewal. */
  hold(lease: Lease, listener: LeaseListener): () => void;
  /** Calls listeners for notifications that came while this thread computed, without a turn of the event loop. */
  hear(): void;
  close(): Promise<void>;
}

/**
 * Creates the keeper. It renews leases in a separate thread, because a worker that computes for a minute without
 * yielding is healthy and must keep its job. The thread starts with the first lease, so it costs nothing if the sidecar
 * gives no leases.
 */
export function createLeaseKeeper(baseUrl: string): LeaseKeeper {
  const listeners = new Map<number, LeaseListener>();
  const outside = AsyncLocalStorage.snapshot();
  let thread: LeaseThread | undefined;
  let count = 0;

  function hearNews({ key, kind, reason }: LeaseNews): void {
    const listener = listeners.get(key);
    if (kind === "cancel" || kind === "lost") listeners.delete(key);
    listener?.(kind, reason);
  }

  function start(): LeaseThread {
    const started = outside(spawn, baseUrl);
    started.port.on("message", hearNews);
    started.port.unref();
    started.worker.on("error", (error) => {
      getLogger("tenon").error({ error: describeThrown(error) }, "leases are no longer renewed");
    });
    started.worker.unref();
    return started;
  }

  return {
    hold({ id, headers, seconds }, listener) {
      const { port } = (thread ??= start());
      const key = ++count;
      const lasts = seconds * 1000;
      const order: LeaseOrder = {
        key,
        path: pathBelow(baseUrl, id),
        headers: { ...headers },
        every: Math.max(shortestEvery, lasts / 3),
        lasts,
      };
      listeners.set(key, listener);
      port.postMessage(order);
      return () => {
        listeners.delete(key);
        port.postMessage({ key } satisfies LeaseOrder);
      };
    },
    hear() {
      if (thread === undefined) return;
      const { receiveMessageOnPort } = process.getBuiltinModule("node:worker_threads");
      let news: { readonly message: LeaseNews } | undefined;
      while ((news = receiveMessageOnPort(thread.port)) !== undefined) hearNews(news.message);
    },
    async close() {
      listeners.clear();
      thread?.port.close();
      await thread?.worker.terminate();
      thread = undefined;
    },
  };
}

/** The thread, and this thread's end of the channel to it. Only a channel can be read without a turn of the loop. */
interface LeaseThread {
  readonly worker: Worker;
  readonly port: MessagePort;
}

function pathBelow(baseUrl: string, id: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, "") + sidecarPath("jobs", id, "lease");
}

function spawn(baseUrl: string): LeaseThread {
  const { MessageChannel, Worker } = process.getBuiltinModule("node:worker_threads");
  const { protocol, hostname, port } = new URL(baseUrl);
  const secure = protocol === "https:";
  const base = {
    protocol,
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (secure ? 443 : 80) : Number(port),
  };
  const { port1, port2 } = new MessageChannel();
  const text = `(${leaseThreadText})(require("node:worker_threads").workerData, ${JSON.stringify(base)}, ${secure});`;
  const options = { eval: true, execArgv: [], name: "tenon-leases", workerData: port2, transferList: [port2] };
  return { worker: new Worker(text, options), port: port1 };
}
