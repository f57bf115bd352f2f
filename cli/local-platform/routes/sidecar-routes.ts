import { isUtf8 } from "node:buffer";
import type { JsonObject } from "../../../runtime/contract/contract.ts";
import { ToolError } from "../../../runtime/base/errors.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";
import { maxResultBytes } from "../../../runtime/job/result-bytes.ts";
import { readSeconds, type Exchange, type Handler } from "./exchange.ts";
import { echoesLease, holderOf } from "./job-access.ts";
import { envelopeOf } from "../jobs/job-content.ts";
import { outcomeOf } from "../jobs/job-outcome.ts";
import type { RepeatedJobs } from "./fault-switch.ts";
import type { GivenJob } from "../jobs/hand-out.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";
import type { WorkerAskers } from "../workers/worker-askers.ts";
import type { WorkerLeases } from "../workers/worker-leases.ts";

/** Maximum seconds for which a worker may wait for a job in one call; proxies abort longer ones. */
const longestPoll = 30;
const maxEventBytes = 1024 * 1024;
/** Maximum sequence number of an attempt's events. */
const maxSequence = 10_000_000;

export interface SidecarOptions {
  readonly queue: JobQueue;
  readonly tokens: JobTokens;
  readonly services: ServiceRegistry;
  readonly workers: WorkerLeases;
  readonly askers: WorkerAskers;
  /** Jobs that are handed out twice on purpose. */
  readonly repeated?: RepeatedJobs | undefined;
}

/** The sidecar protocol: `next_job`, `events`, `results` and the leases below `jobs`. */
export interface SidecarRoutes {
  readonly nextJob: Handler;
  readonly event: Handler;
  readonly result: Handler;
  readonly lease: Handler;
  readonly release: Handler;
}

/** Creates the handlers for the requests of workers. */
export function sidecarRoutes({ queue, tokens, services, workers, askers, repeated }: SidecarOptions): SidecarRoutes {
  async function nextJob(exchange: Exchange): Promise<void> {
    // Browsers send no Origin with requests for pictures, but this header. Workers send none of them.
    if (/^(?:cross|same)-site$/.test(exchange.header("sec-fetch-site") ?? ""))
      throw new ToolError("forbidden", "Pages of other origins get no jobs.");
    const seconds = readSeconds("wait", exchange.query("wait"), longestPoll) ?? 0;
    const service = await services.forWorker(exchange.service);
    const { remoteAddress, remotePort } = exchange.request.socket;
    const worker = `${remoteAddress}:${remotePort}`;
    askers.asked(service.key, exchange.worker, worker);
    const onGone = exchange.onGone.bind(exchange);
    const process = exchange.worker ?? remoteAddress ?? "";
    const asking = { worker, process, ms: seconds * 1000, onGone };
    const given = repeated?.take(service.key) ?? (await queue.next(service.key, asking));
    if (given === undefined) exchange.send(204, ["Retry-After", seconds > 0 ? "0.1" : "1"]);
    else if (exchange.gone || workers.hasEnded(exchange.worker)) await queue.release(given);
    else {
      workers.gave(exchange.worker, given);
      repeated?.offer(given);
      give(exchange, given, queue.leaseSeconds);
    }
  }

  async function event(exchange: Exchange): Promise<void> {
    const held = holderOf(exchange, tokens, exchange.segments[1]);
    const body = parseJsonBody(await exchange.body(maxEventBytes));
    if (!echoesLease(exchange, held)) return refuse(exchange, "stale");
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      throw new ToolError("bad-request", "An event is a JSON object.");
    }
    const { sequence } = body as { readonly sequence?: unknown };
    const answer = await queue.addEvent(held, body as JsonObject, isSequence(sequence) ? sequence : undefined);
    if (answer === "ok") exchange.send(204);
    else refuse(exchange, answer);
  }

  async function result(exchange: Exchange): Promise<void> {
    const held = holderOf(exchange, tokens, exchange.segments[1]);
    const body = await exchange.body(maxResultBytes);
    if (!echoesLease(exchange, held)) return refuse(exchange, "stale");
    const isError = exchange.header("is-error")?.toLowerCase() === "true";
    const contentType = exchange.header("content-type") ?? "application/octet-stream";
    const knowsLeases = exchange.header("job-lease") !== undefined;
    if (isError && !isUtf8(body)) throw new ToolError("bad-request", "An error result is JSON text.");
    const answer = await queue.settle(held, outcomeOf({ isError, contentType, body, knowsLeases }));
    tokens.forget(exchange.header("authorization"));
    workers.done(exchange.worker, held);
    switch (answer) {
      case "stored":
        exchange.send(204);
        break;
      case "same":
        exchange.send(200);
        break;
      case "stale":
        refuse(exchange, "stale");
        break;
      case "gone":
        refuse(exchange, "ended");
    }
  }

  async function lease(exchange: Exchange): Promise<void> {
    const held = holderOf(exchange, tokens, exchange.segments[1]);
    const answer = echoesLease(exchange, held) ? await queue.renew(held) : "stale";
    if (answer === "ok") exchange.send(204);
    else if (typeof answer === "string") refuse(exchange, answer);
    else exchange.json(200, answer);
  }

  async function release(exchange: Exchange): Promise<void> {
    const held = holderOf(exchange, tokens, exchange.segments[1]);
    const delay = readSeconds("delay", exchange.query("delay"), 86_400);
    const answer = echoesLease(exchange, held) ? await queue.release(held, delay) : "stale";
    if (answer === "ok") workers.done(exchange.worker, held);
    if (answer === "ok") exchange.send(204);
    else refuse(exchange, answer);
  }

  return { nextJob: only("GET", nextJob), ...postOnly({ event, result, lease, release }) };
}

/** A handler of one method only. */
export function only(method: string, handle: Handler): Handler {
  return (exchange) => {
    if (exchange.method === method) return handle(exchange);
    return exchange.json(405, { message: `Use ${method} here.` }, ["Allow", method]);
  };
}

function postOnly<Name extends string>(handlers: Readonly<Record<Name, Handler>>): Readonly<Record<Name, Handler>> {
  const entries = Object.entries<Handler>(handlers).map(([name, handle]) => [name, only("POST", handle)] as const);
  return Object.fromEntries(entries) as Record<Name, Handler>;
}

function give(exchange: Exchange, given: GivenJob, seconds: number): void {
  const { lease, content, authorization, traceparent, tracestate, baggage } = given;
  // oxfmt-ignore
  const headers = [
    "Content-Type", "application/json", "Authorization", authorization,
    "Job-Attempt", String(lease.attempt), "Job-Lease", lease.token, "Job-Lease-Seconds", String(seconds),
  ];
  if (traceparent !== undefined) headers.push("traceparent", traceparent);
  if (tracestate !== undefined) headers.push("tracestate", tracestate);
  if (baggage !== undefined) headers.push("baggage", baggage);
  exchange.send(200, headers, envelopeOf(lease.id, content));
}

const refusals = {
  stale: [409, "A later attempt holds the job, or it waits for one: this attempt has lost its lease."],
  ended: [410, "The job has ended."],
  unknown: [410, "The job is not known any more."],
} as const;

/** The answer to a write of an attempt that does not hold its job. */
export function refuse(exchange: Exchange, answer: keyof typeof refusals): void {
  const [status, message] = refusals[answer];
  exchange.json(status, { message });
}

function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= maxSequence;
}
