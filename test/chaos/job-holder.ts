import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosRequest } from "./chaos-tool.ts";
import type { Entry, Seen } from "./history.ts";
import { digestOf } from "./recording-proxy.ts";

/** A holder of jobs, as a caller sees it: the platform, or a service that is called directly. */
export interface JobHolder {
  /** Submits a job, with retries until it is acknowledged; with `waits` a service may answer with its end. */
  submit(id: string, request: ChaosRequest, waits?: boolean): Promise<void>;
  /** The same key with the same or another body. */
  submitAgain(id: string, request: ChaosRequest, same: boolean): Promise<void>;
  /** Resolves to true when it was acknowledged. */
  cancel(id: string): Promise<boolean>;
  /** Waits briefly for an end, and records the answer. */
  look(id: string): Promise<Seen>;
}

type Holder = "platform" | "service";

interface Routes {
  readonly submit: string;
  readonly job: (id: string) => string;
  readonly output: (id: string) => string;
}

const routes: Readonly<Record<Holder, Routes>> = {
  platform: {
    submit: "/services2/chaos/jobs",
    job: (id) => `/services2/chaos/jobs/${id}`,
    output: (id) => `/services2/chaos/jobs/${id}/output`,
  },
  service: { submit: "/tool", job: (id) => `/jobs/${id}`, output: (id) => `/jobs/${id}` },
};

const patience = 5000;
/** Milliseconds between two tries at most: many callers in a row would keep a busy machine from starting a replica. */
const longestPause = 400;

/** @param base Address of the holder, or of any of its replicas, which may be down at any moment */
export function createJobHolder(holder: Holder, base: () => string, write: (entry: Entry) => void): JobHolder {
  const paths = routes[holder];
  const ask = async (path: string, options: RequestInit = {}): Promise<Response> => {
    for (let pause = 50; ; pause = Math.min(pause * 2, longestPause)) {
      try {
        const response = await fetch(base() + path, { ...options, signal: AbortSignal.timeout(patience) });
        // 408: the holder was paused before it had read the request.
        if (response.status !== 503 && response.status !== 408) return response;
        await response.body?.cancel();
      } catch {
        // The holder is down or died during the request: retry.
      }
      await sleep(pause);
    }
  };
  const post = (id: string, request: ChaosRequest, waits = false): Promise<Response> =>
    ask(paths.submit, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "job-id": id,
        "idempotency-key": `key of ${id}`,
        prefer: waits ? "wait=3" : "respond-async",
      },
      body: JSON.stringify(request),
    });
  return {
    async submit(id, request, waits) {
      const response = await post(id, request, waits);
      const text = await response.text();
      // The first answer may have been lost, and the job may have failed since.
      const isKnown = response.ok || text.includes("urn:platform:problem:interrupted");
      if (!isKnown) throw new Error(`${holder} refused ${id}: ${response.status} ${text}`);
      write({ kind: "submitted", id, at: performance.now(), events: request.events });
      if (holder === "service" && response.status === 200) write(seenResult(id, text));
    },
    async submitAgain(id, request, same) {
      const response = await post(id, same ? request : { ...request, text: `not ${request.text}` });
      await response.body?.cancel();
      const found = response.headers.get(holder === "platform" ? "platform-job-id" : "job-id") ?? undefined;
      write({ kind: "again", id, same, status: response.status, found });
    },
    async cancel(id) {
      const response = await ask(paths.job(id), { method: "DELETE" });
      await response.body?.cancel();
      // If the job has ended already, both keep its outcome.
      const isCancelled = response.status === 202 && (await this.look(id)).status === "cancelled";
      if (isCancelled) write({ kind: "cancelled", id, at: performance.now() });
      return isCancelled;
    },
    async look(id) {
      const told = await (holder === "platform" ? lookAtPlatform(id) : lookAtService(id));
      const seen: Seen = { kind: "seen", id, at: performance.now(), ...told };
      write(seen);
      return seen;
    },
  };

  async function lookAtPlatform(id: string): Promise<Pick<Seen, "status" | "digest" | "written">> {
    const response = await ask(`${paths.job(id)}?wait=1`);
    if (response.status === 404) return { status: "unknown", digest: "" };
    const record = (await response.json()) as { readonly status: string; readonly "error-message"?: string };
    if (record.status !== "succeeded") return { status: record.status, digest: record["error-message"] ?? "" };
    const output = digestOf(Buffer.from(await (await ask(paths.output(id))).arrayBuffer()));
    return { status: record.status, digest: output, written: output };
  }

  async function lookAtService(id: string): Promise<Pick<Seen, "status" | "digest">> {
    const response = await ask(paths.job(id), { headers: { prefer: "wait=1" } });
    const text = await response.text();
    if (response.status === 202) return { status: "executing", digest: "" };
    if (response.status === 200) return seenResult(id, text);
    return { status: { 404: "unknown", 409: "cancelled" }[response.status] ?? "error", digest: digestOf(text) };
  }
}

/** A service answers with the result as it was stored. */
function seenResult(id: string, text: string): Seen {
  return { kind: "seen", id, at: performance.now(), status: "succeeded", digest: digestOf(text) };
}
