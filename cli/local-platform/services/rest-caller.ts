import { isObject } from "../../../runtime/contract/validation/json-value.ts";
import type { Parking } from "../../../runtime/job/steps/kept-step.ts";
import type { ErrorKind } from "../../../runtime/base/errors.ts";
import { systemClock } from "../../../runtime/base/clock.ts";
import { problemKinds } from "../../../runtime/base/problem-kinds.ts";
import type { StoredOutcome } from "../../../runtime/executor/store/job-store.ts";
import { retryAfter } from "../../../runtime/outside/platform/sidecar/back-off.ts";
import {
  collect,
  createPlatformHttp,
  type HttpRequest,
  type PlatformHttp,
} from "../../../runtime/outside/platform/sidecar/platform-http.ts";
import { SidecarError, type SidecarAnswer } from "../../../runtime/outside/platform/sidecar/sidecar-client.ts";
import { asBytes } from "../jobs/job-content.ts";
import type { JobHub } from "../jobs/job-hub.ts";
import { failedWith } from "../jobs/job-outcome.ts";
import type { GivenJob } from "../jobs/hand-out.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { RegisteredService } from "./known-services.ts";

/** Maximum concurrent jobs of one service. */
const concurrency = 32;
/** Seconds for which one call asks the service to wait for its result. */
const callWait = 20;
/**
 * Seconds to wait for a call to a tool whose jobs the service may park, or queue behind a limit. Such jobs should not
 * hold a call open.
 */
const parkedWait = 1;
/** Timeout of a call in milliseconds. */
const callTimeout = 60_000;
const claimWait = 20_000;
/** Seconds after which an unreachable service is called again. */
const absentDelay = 1;
/** Milliseconds until the store is asked for jobs again after an error. */
const storeDelay = 1000;
/** Milliseconds between polls of a job whose service answers at once and names no time. */
const usualPause = 1000;
/**
 * Maximum milliseconds between polls of a job that the service has parked, since messages may reach the service
 * directly.
 */
const longestParking = 30_000;
const shortestParking = 200;
/** Milliseconds between polls of a job that the service has queued behind a limit. */
const lineParking = 2000;
/** Maximum bytes of a result. */
const answerLimit = 8 * 1024 * 1024;

export interface RestCaller {
  /**
   * Stops claiming jobs. Jobs that are running in the service continue there, and are polled again after the next
   * start.
   */
  stop(): Promise<void>;
}

export interface RestCallerOptions {
  /** Returns the service as it is registered at present. */
  readonly service: () => RegisteredService;
  readonly url: string;
  readonly queue: JobQueue;
  readonly hub: JobHub;
  /** Takes log lines for the operator of the platform. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** Calls a REST service for its jobs, as the platform's gateway does: one call for each job, with the job's token. */
export function startRestCaller({ service, url, queue, hub, warn }: RestCallerOptions): RestCaller {
  const http = createPlatformHttp(url.replace(/\/+$/, ""));
  const over = new AbortController();
  const { signal } = over;
  const stops = (gone: () => void): (() => void) => {
    signal.addEventListener("abort", gone);
    return () => signal.removeEventListener("abort", gone);
  };
  const { key } = service();
  let hasFailed = false;
  const takeJob = async (): Promise<void> => {
    const given = await queue.next(key, { worker: url, process: url, ms: claimWait, onGone: stops });
    hasFailed = false;
    // Lets a shutdown finish first: a caller that it has woken gets no job.
    if (given === undefined) await new Promise((resolve) => setImmediate(resolve));
    else if (signal.aborted) await queue.release(given);
    else {
      const wait = mayPark(service().definition) ? parkedWait : callWait;
      await runJob(given, { http, queue, hub, signal, wait });
    }
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await takeJob();
      } catch (error) {
        if (signal.aborted) return;
        const why = error instanceof Error ? error.message : String(error);
        if (!hasFailed) warn?.(`The jobs of ${key} wait, since the store has failed: ${why}`);
        hasFailed = true;
        await systemClock.sleep(storeDelay, signal);
      }
    }
  };
  const workers = Array.from({ length: concurrency }, work);
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
  /** Seconds for which one call waits. */
  readonly wait: number;
}

/** Runs one job, from the first call to its end. Never rejects. */
async function runJob(given: GivenJob, { http, queue, hub, signal, wait }: Surroundings): Promise<void> {
  const { lease, content } = given;
  const { path = "/tool", type } = content;
  const ended = new AbortController();
  // Ends the call early if the service delivers the result itself meanwhile.
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
  const headers = { ...callHeaders(given), "Content-Type": type, Prefer: `wait=${wait}` };
  let asked = performance.now();
  try {
    let answer = await send(http, { method: "POST", path, headers, body: asBytes(content) }, either);
    while (answer.kind === "answer" && isDeferred(answer.answer) && !either.aborted) {
      const parking = parkingOf(answer.answer);
      if (parking !== undefined && (await queue.park(given, parking)) === "ok") return;
      // Not every service waits for as long as it is asked to.
      const left = asked + wait * 1000 - performance.now();
      if (left > 0) await systemClock.sleep(Math.min(left, pauseOf(answer.answer)), either);
      const poll = { Authorization: given.authorization, Prefer: `wait=${wait}` };
      asked = performance.now();
      answer = await send(http, { method: "GET", path: jobPath(given), headers: poll }, either);
      if (answer.kind === "absent" || answer.kind === "cut") answer = { kind: "cut" };
    }
    if (!ended.signal.aborted && !signal.aborted) await conclude(given, queue, answer);
  } catch {
    // If the store has failed, the lease will expire, and the job will be handed out again.
  } finally {
    clearInterval(renewal);
    unfollow();
  }
}

/** Result of a call. `absent`: the service cannot be reached. `cut`: the connection broke or stalled. */
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

/**
 * Returns the time at which to poll a job that the service has parked or queued; undefined: the job runs. A message
 * that passes this platform wakes the job earlier.
 */
function parkingOf({ body }: SidecarAnswer): Parking | undefined {
  const { "waits-for": waitsFor } = parse(body);
  if (!isObject(waitsFor)) return undefined;
  const { message, time, until, limit } = waitsFor;
  const end = typeof time === "string" ? time : typeof until === "string" ? until : undefined;
  const left = end === undefined ? Infinity : Date.parse(end) - Date.now();
  const longest = limit === undefined ? longestParking : lineParking;
  const delay = Math.max(shortestParking, Math.min(longest, Number.isNaN(left) ? longest : left));
  return { delay, waits: typeof message === "string" ? [message] : [] };
}

/** Returns the milliseconds after which a service wants to be asked again. */
function pauseOf({ headers }: SidecarAnswer): number {
  return retryAfter(headers["retry-after"] ?? String(headers["retry-later"])) ?? usualPause;
}

function mayPark({ tools }: Readonly<Record<string, unknown>>): boolean {
  return (
    Array.isArray(tools) &&
    tools.some((tool) => isObject(tool) && ("durable" in tool || "limit" in tool || "rate" in tool))
  );
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
