import type { ErrorKind } from "../../../runtime/base/errors.ts";
import { problemKinds } from "../../../runtime/base/problem-kinds.ts";
import type { StoredOutcome } from "../../../runtime/executor/store/job-store.ts";
import { retryAfter } from "../../../runtime/outside/platform/sidecar/back-off.ts";
import { collect, createPlatformHttp } from "../../../runtime/outside/platform/sidecar/platform-http.ts";
import type { HttpRequest, PlatformHttp } from "../../../runtime/outside/platform/sidecar/platform-http.ts";
import { SidecarError } from "../../../runtime/outside/platform/sidecar/sidecar-client.ts";
import type { SidecarAnswer } from "../../../runtime/outside/platform/sidecar/sidecar-client.ts";
import { asBytes } from "../jobs/job-content.ts";
import type { JobHub } from "../jobs/job-hub.ts";
import { failedWith } from "../jobs/job-outcome.ts";
import type { GivenJob } from "../jobs/hand-out.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { RegisteredService } from "./known-services.ts";

/** Maximum concurrent jobs of one service. */
const concurrency = 32;
/** Seconds that one call asks the service to wait for its result. */
const callWait = 20;
/** Milliseconds. */
const callTimeout = 60_000;
const claimWait = 20_000;
/** Seconds until an unreachable service is called again. */
const absentDelay = 1;
/** Maximum bytes of a result. */
const answerLimit = 8 * 1024 * 1024;

export interface RestCaller {
  /** Claims no more jobs. Jobs that the service runs go on there, and are polled again after the next start. */
  stop(): Promise<void>;
}

/** Calls a REST service for its jobs: one call each, with the job's token, as the platform's gateway does. */
export function startRestCaller(service: RegisteredService, url: string, queue: JobQueue, hub: JobHub): RestCaller {
  const http = createPlatformHttp(url.replace(/\/+$/, ""));
  const over = new AbortController();
  const { signal } = over;
  const stops = (gone: () => void): (() => void) => {
    signal.addEventListener("abort", gone);
    return () => signal.removeEventListener("abort", gone);
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const given = await queue.next(service.key, { worker: url, process: url, ms: claimWait, onGone: stops });
      // A caller that was woken during the shutdown has no job.
      if (given === undefined) await new Promise((resolve) => setImmediate(resolve));
      else if (signal.aborted) await queue.release(given);
      else await runJob(given, { http, queue, hub, signal });
    }
  };
  const workers = Array.from({ length: concurrency }, () => work().catch(() => {}));
  return {
    async stop() {
      over.abort();
      await Promise.all(workers);
    },
  };
}

interface Surroundings {
  readonly http: PlatformHttp;
  readonly queue: JobQueue;
  readonly hub: JobHub;
  readonly signal: AbortSignal;
}

/** Runs one job, from the first call to its end. Never rejects. */
async function runJob(given: GivenJob, { http, queue, hub, signal }: Surroundings): Promise<void> {
  const { lease, content } = given;
  const { path = "/tool", type } = content;
  const ended = new AbortController();
  // The service may also deliver the result itself while we wait for it.
  const unfollow = hub.follow(lease.id, (news) => {
    if (news.kind === "end") ended.abort();
  });
  const renewal = setInterval(
    () => {
      void queue.renew(given).then(
        async (answer) => {
          if (answer === "ok") return;
          if (typeof answer === "object") await send(http, { method: "DELETE", path: jobPath(given), headers: {} });
          ended.abort();
        },
        () => {},
      );
    },
    (queue.leaseSeconds * 1000) / 3,
  );
  const either = AbortSignal.any([signal, ended.signal]);
  const headers = { ...callHeaders(given), "Content-Type": type, Prefer: `wait=${callWait}` };
  try {
    let answer = await send(http, { method: "POST", path, headers, body: asBytes(content) }, either);
    while (answer.kind === "answer" && isDeferred(answer.answer) && !either.aborted) {
      const poll = { Authorization: given.authorization, Prefer: `wait=${callWait}` };
      answer = await send(http, { method: "GET", path: jobPath(given), headers: poll }, either);
      if (answer.kind === "absent" || answer.kind === "cut") answer = { kind: "cut" };
    }
    if (!ended.signal.aborted && !signal.aborted) await conclude(given, queue, answer);
  } catch {
    // The store failed; the lease expires, and the job is given again.
  } finally {
    clearInterval(renewal);
    unfollow();
  }
}

/** `absent`: nobody listens. `cut`: the connection broke or stalled. */
type Called =
  | { readonly kind: "answer"; readonly answer: SidecarAnswer }
  | { readonly kind: "absent" | "cut" | "stopped" };

async function send(
  http: PlatformHttp,
  request: Omit<HttpRequest, "timeout" | "signal">,
  signal?: AbortSignal,
): Promise<Called> {
  try {
    return {
      kind: "answer",
      answer: await collect(await http.open({ ...request, timeout: callTimeout, signal }), answerLimit),
    };
  } catch (error) {
    if (!(error instanceof SidecarError)) return { kind: "cut" };
    return { kind: error.fault === "unreachable" ? "absent" : error.fault === "aborted" ? "stopped" : "cut" };
  }
}

async function conclude(given: GivenJob, queue: JobQueue, called: Called): Promise<void> {
  switch (called.kind) {
    case "stopped":
      return;
    case "absent":
      await queue.release(given, absentDelay);
      return;
    case "cut":
      await queue.lose(given, "The service ended, or fell silent, while it ran the job.");
      return;
    case "answer": {
      const { status, headers } = called.answer;
      if (status === 503 || status === 429) {
        await queue.release(given, (retryAfter(headers["retry-after"]) ?? 1000) / 1000);
      } else await queue.settle(given, outcomeOf(called.answer));
    }
  }
}

function outcomeOf({ status, headers, body }: SidecarAnswer): StoredOutcome {
  if (status >= 200 && status < 300) {
    const contentType = headers["content-type"] ?? "application/octet-stream";
    return { state: "succeeded", result: { kind: "binary", contentType, content: body } };
  }
  const { type, detail, errors } = parse(body);
  const name = typeof type === "string" ? type.replace(/^urn:platform:problem:/, "") : "";
  const usual: ErrorKind = status === 422 ? "validation" : status < 500 ? "user-input" : "system";
  const kind = Object.hasOwn(problemKinds, name) ? (name as ErrorKind) : usual;
  const message = typeof detail === "string" ? detail : `The service answered ${status}.`;
  return failedWith(kind, message, Array.isArray(errors) ? { problems: errors } : {});
}

function isDeferred({ status, headers }: SidecarAnswer): boolean {
  return status === 202 || (status === 204 && headers.location !== undefined);
}

function callHeaders({ lease, authorization, traceparent, tracestate, baggage }: GivenJob): Record<string, string> {
  return {
    Authorization: authorization,
    "job-id": lease.id,
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
    ...(baggage !== undefined && { baggage }),
  };
}

function jobPath({ lease }: GivenJob): string {
  return `/jobs/${encodeURIComponent(lease.id)}`;
}

function parse(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
