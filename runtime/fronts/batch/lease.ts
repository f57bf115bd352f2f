import { AsyncLocalStorage } from "node:async_hooks";
import type { Worker } from "node:worker_threads";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { sidecarPath } from "../../outside/platform/sidecar/sidecar-client.ts";
import { leaseThreadText } from "./lease-thread-text.ts";
import type { LeaseNews, LeaseOrder } from "./lease-thread.ts";

/** A lease from the sidecar, given with a job. */
export interface Lease {
  /** The job's id at the sidecar. */
  readonly id: string;
  /** Headers with token and attempt. */
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/** Called when the job must stop, because it was cancelled or because this worker has lost the lease. */
export type LeaseListener = (kind: LeaseNews["kind"], reason: string) => void;

/** Renews the leases of running jobs. */
export interface LeaseKeeper {
  /**
   * Renews a lease each time a third of it has passed. Returns a function that stops the renewal. `listener` is called
   * at most once.
   */
  hold(lease: Lease, listener: LeaseListener): () => void;
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
  let thread: Worker | undefined;
  let count = 0;

  function start(): Worker {
    const worker = outside(spawn, baseUrl);
    worker.on("message", ({ key, kind, reason }: LeaseNews) => {
      const listener = listeners.get(key);
      listeners.delete(key);
      listener?.(kind, reason);
    });
    worker.on("error", (error) => {
      getLogger("tenon").error({ error: describeThrown(error) }, "leases are no longer renewed");
    });
    worker.unref();
    return worker;
  }

  return {
    hold({ id, headers, seconds }, listener) {
      thread ??= start();
      const key = ++count;
      listeners.set(key, listener);
      const order: LeaseOrder = {
        key,
        path: pathBelow(baseUrl, id),
        headers: { ...headers },
        every: (seconds * 1000) / 3,
      };
      thread.postMessage(order);
      return () => {
        listeners.delete(key);
        thread?.postMessage({ key } satisfies LeaseOrder);
      };
    },
    async close() {
      listeners.clear();
      await thread?.terminate();
      thread = undefined;
    },
  };
}

function pathBelow(baseUrl: string, id: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, "") + sidecarPath("jobs", id, "lease");
}

function spawn(baseUrl: string): Worker {
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const { protocol, hostname, port } = new URL(baseUrl);
  const secure = protocol === "https:";
  const base = {
    protocol,
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (secure ? 443 : 80) : Number(port),
  };
  const text = `(${leaseThreadText})(require("node:worker_threads").parentPort, ${JSON.stringify(base)}, ${secure});`;
  return new Worker(text, { eval: true, execArgv: [], name: "tenon-leases" });
}
