// The function of this file runs as text in a separate thread (lease-thread-text.ts), because a bundle has no separate
// file that a thread could load. It uses only its parameters and the globals of Node, and no template literals.
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
  /** Milliseconds that the lease lasts after it was given or renewed. */
  readonly lasts?: number;
}

/**
 * A notification about a lease. `cancel` and `lost`: the sidecar's answer to a renewal, which is the last one.
 * `failing`: the first renewal that failed. `expired`: the first one that failed after the lease must have run out.
 */
export interface LeaseNews {
  readonly key: number;
  readonly kind: "cancel" | "lost" | "failing" | "expired";
  readonly reason: string;
}

/** A lease that is renewed. */
interface Held extends Required<LeaseOrder> {
  /** Time at which the sidecar last gave or renewed the lease, as far as this process knows. */
  since: number;
  readonly said: Set<LeaseNews["kind"]>;
}

/** Renews leases until they are dropped, however busy the main thread is. */
export function leaseThread(port: MessagePort, base: RequestOptions, secure: boolean): void {
  const http = secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  const agent = new http.Agent({ keepAlive: true });
  const timers = new Map<number, NodeJS.Timeout>();
  const limit = 16_384;

  const renew = (held: Held): void => {
    const { key, path, headers, every, lasts, said } = held;
    const sent = performance.now();
    const next = (wait: number): void => {
      if (timers.has(key)) timers.set(key, setTimeout(renew, wait, held));
    };
    const say = (kind: LeaseNews["kind"], reason: string): void => {
      if (!timers.has(key) || said.has(kind)) return;
      said.add(kind);
      port.postMessage({ key, kind, reason });
    };
    const end = (kind: "cancel" | "lost", reason: string): void => {
      say(kind, reason);
      timers.delete(key);
    };
    const fail = (reason: string, wait: number): void => {
      say("failing", reason);
      if (performance.now() - held.since >= lasts) say("expired", reason);
      next(wait);
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
    const soon = (): number => Math.min(1000, every / 4) * (0.5 + Math.random());
    const retry = (reason: string): void => settle(() => fail(reason, soon()));
    const timer = setTimeout(() => {
      retry("no answer came in time");
      request.destroy();
    }, every);
    request.on("error", (error) => retry(error.message || "no connection"));
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length <= limit) return;
        retry("the answer is too long");
        response.destroy();
      });
      response.on("error", () => retry("the connection ended within the answer"));
      response.on("close", () => retry("the connection ended within the answer"));
      response.on("end", () =>
        settle(() => {
          const status = response.statusCode ?? 0;
          if (status === 409)
            return end("lost", "The lease of the job was lost: the platform has given it to another worker.");
          if (status === 410) return end("lost", "The platform has ended the job.");
          const reason = ["the sidecar answered", status].join(" ");
          if (status >= 500 || status === 408 || status === 429) return fail(reason, soon());
          if (status < 200 || status > 299) return fail(reason, every);
          let cancel: unknown;
          try {
            cancel =
              status === 200 && text !== "" ? (JSON.parse(text) as { cancel?: unknown } | null)?.cancel : undefined;
          } catch {
            return fail("the answer is not valid JSON", every);
          }
          if (cancel !== undefined && cancel !== null && cancel !== false) {
            return end("cancel", typeof cancel === "string" && cancel !== "" ? cancel : "The job was cancelled.");
          }
          held.since = sent;
          return next(every);
        }),
      );
    });
    request.end();
  };

  port.on("message", (order: LeaseOrder) => {
    const { key, path, headers, every, lasts } = order;
    clearTimeout(timers.get(key));
    timers.delete(key);
    if (path === undefined || headers === undefined || every === undefined || lasts === undefined) return;
    const held: Held = { key, path, headers, every, lasts, since: performance.now(), said: new Set() };
    timers.set(key, setTimeout(renew, every, held));
  });
}
