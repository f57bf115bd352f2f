// The function of this file runs as text in a separate thread (lease-thread-text.ts), because a bundle has no separate
// file that a thread could load. It uses only its parameters and the globals of Node.
import type { RequestOptions } from "node:http";
import type { MessagePort } from "node:worker_threads";

/** An order to renew a lease, or (without `headers`) to drop it. */
export interface LeaseOrder {
  /** Number of the lease in this process. */
  readonly key: number;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds from one renewal to the next. */
  readonly every?: number;
}

/** The sidecar's answer to a renewal, unless it was a plain success. */
export interface LeaseNews {
  readonly key: number;
  readonly kind: "cancel" | "lost";
  readonly reason: string;
}

/** Renews leases until they are dropped, however busy the main thread is. */
export function leaseThread(port: MessagePort, base: RequestOptions, secure: boolean): void {
  const http = secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  const agent = new http.Agent({ keepAlive: true });
  const timers = new Map<number, NodeJS.Timeout>();
  const limit = 16_384;

  const renew = (order: Required<LeaseOrder>): void => {
    const { key, path, headers, every } = order;
    const next = (wait: number): void => {
      if (timers.has(key)) timers.set(key, setTimeout(renew, wait, order));
    };
    const end = (kind: "cancel" | "lost", reason: string): void => {
      if (timers.delete(key)) port.postMessage({ key, kind, reason });
    };
    const request = http.request({
      ...base,
      agent,
      method: "POST",
      path,
      headers: { ...headers, "Content-Length": 0 },
    });
    let over = false;
    const settle = (then: () => void): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      then();
    };
    // The retry is sooner than the next renewal: a third of the lease remains for three attempts.
    const retry = (): void => settle(() => next(Math.min(1000, every / 4) * (0.5 + Math.random())));
    const timer = setTimeout(() => {
      retry();
      request.destroy();
    }, every);
    request.on("error", retry);
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > limit) response.destroy();
      });
      response.on("error", retry);
      response.on("close", retry);
      response.on("end", () =>
        settle(() => {
          const status = response.statusCode ?? 0;
          if (status === 409)
            return end("lost", "The lease of the job was lost: the platform has given it to another worker.");
          if (status === 410) return end("lost", "The platform has ended the job.");
          if (status >= 500 || status === 408 || status === 429)
            return next(Math.min(1000, every / 4) * (0.5 + Math.random()));
          let cancel: unknown;
          try {
            cancel =
              status === 200 && text !== "" ? (JSON.parse(text) as { cancel?: unknown } | null)?.cancel : undefined;
          } catch {
            cancel = undefined;
          }
          if (cancel !== undefined && cancel !== null && cancel !== false) {
            return end("cancel", typeof cancel === "string" && cancel !== "" ? cancel : "The job was cancelled.");
          }
          return next(every);
        }),
      );
    });
    request.end();
  };

  port.on("message", (order: LeaseOrder) => {
    const { key, path, headers, every } = order;
    clearTimeout(timers.get(key));
    timers.delete(key);
    if (path === undefined || headers === undefined || every === undefined) return;
    timers.set(key, setTimeout(renew, every, { key, path, headers, every }));
  });
}
