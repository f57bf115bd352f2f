import { ToolError } from "../../../runtime/base/errors.ts";
import { isObject } from "../../../runtime/contract/validation/json-value.ts";
import { writeHistory, writeTimes } from "../../../runtime/job/steps/job-history.ts";
import { forkStep } from "../../../runtime/fronts/http/fork-step.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";
import {
  maxStepBytes,
  type Parking,
  type StepFailure,
  type StepState,
  type StepWrite,
} from "../../../runtime/job/steps/kept-step.ts";
import type { JobRecord } from "../../../runtime/executor/store/job-store.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import type { Exchange, Handler } from "./exchange.ts";
import { echoesLease, holderOf } from "./job-access.ts";
import { refuse } from "./sidecar-routes.ts";

/** Maximum bytes of a body: a result as JSON text, whose characters may be escaped again, and the other fields. */
const maxBodyBytes = 6 * maxStepBytes + 100_000;
const states: ReadonlySet<unknown> = new Set<StepState>(["running", "done", "failed"]);

/**
 * `PUT /jobs/{id}/steps/{key}` stores a step of a worker's attempt; `GET /jobs/{id}/steps` returns all steps, and the
 * messages to the job.
 */
export function stepRoutes({ queue, tokens }: { readonly queue: JobQueue; readonly tokens: JobTokens }): Handler {
  return async (exchange) => {
    const [, id, , key] = exchange.segments;
    const held = holderOf(exchange, tokens, id);
    if (exchange.method === "GET" && key === undefined) {
      return exchange.json(200, await queue.kept.recall(held.lease.id));
    }
    if (exchange.method !== "PUT" || key === undefined || key === "")
      throw new ToolError("method-not-allowed", "Use GET for the steps of a job, and PUT for one of them.");
    const step = readStep(key, parseJsonBody(await exchange.body(maxBodyBytes)));
    const answer = echoesLease(exchange, held) ? await queue.kept.keep(held, step) : "stale";
    if (answer === "ok") exchange.send(204);
    else refuse(exchange, answer);
  };
}

/** `POST /jobs/{id}/park`: a worker releases its job until a time, or until one of some messages arrives. */
export function parkRoute({ queue, tokens }: { readonly queue: JobQueue; readonly tokens: JobTokens }): Handler {
  return async (exchange) => {
    const held = holderOf(exchange, tokens, exchange.segments[1]);
    const parking = readParking(parseJsonBody(await exchange.body(maxBodyBytes)));
    const answer = echoesLease(exchange, held) ? await queue.park(held, parking) : "stale";
    if (answer === "ok") exchange.send(204);
    else refuse(exchange, answer);
  };
}

/** Runs an ended job again; the request body is the same as for a service's own route. */
export async function answerFork(exchange: Exchange, queue: JobQueue, id: JobUrn): Promise<void> {
  const from = forkStep(await exchange.body(10_000));
  const as = await queue.kept.fork(id, from);
  if (as !== undefined) return exchange.json(202, { "job-id": as, status: "pending" });
  exchange.json(410, { message: "Nothing is kept of the job to run it again, or it has not ended." });
}

/** All stored steps and messages of a job, in the form that tests use; `with-values=false`: only their times. */
export async function answerHistory(
  exchange: Exchange,
  queue: JobQueue,
  { id, outcome }: Pick<JobRecord, "id" | "outcome">,
): Promise<void> {
  const headers = ["Content-Type", "application/json", "Cache-Control", "no-store"];
  const kept = await queue.kept.recall(id);
  const write = exchange.query("with-values") === "false" ? writeTimes : writeHistory;
  exchange.send(200, headers, await write(kept, outcome !== undefined));
}

function readStep(key: string, body: unknown): StepWrite {
  const given = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const { state, tries, fingerprint, value, error } = given;
  const isNumber = (one: unknown): one is number => typeof one === "number" && Number.isFinite(one);
  const times = (["delay", "until", "took"] as const).filter((name) => isNumber(given[name]));
  if (!states.has(state) || !isNumber(tries) || typeof fingerprint !== "string" || !isText(value) || !isFailure(error))
    throw new ToolError("bad-request", "A step has state, tries and fingerprint, and value as a JSON text, or error.");
  if (value !== undefined && Buffer.byteLength(value) > maxStepBytes)
    throw new ToolError("too-large", `The result of a step has at most ${maxStepBytes} bytes.`);
  return {
    key,
    state: state as StepState,
    tries: Math.trunc(tries),
    fingerprint,
    ...(value !== undefined && { value }),
    ...(error !== undefined && { error }),
    ...Object.fromEntries(times.map((name) => [name, given[name]])),
  };
}

function readParking(body: unknown): Parking {
  const { delay, until, waits = [] } = (isObject(body) ? body : {}) as Readonly<Record<string, unknown>>;
  const isTime = (one: unknown): one is number | undefined =>
    one === undefined || (typeof one === "number" && Number.isFinite(one) && one >= 0);
  const areNames = Array.isArray(waits) && waits.every((name) => typeof name === "string" && name !== "");
  if (
    !isTime(delay) ||
    !isTime(until) ||
    !areNames ||
    (waits.length === 0 && delay === undefined && until === undefined)
  )
    throw new ToolError(
      "bad-request",
      "A job is parked for delay or until (milliseconds), or waits (names of messages).",
    );
  return {
    waits: waits as readonly string[],
    ...(delay !== undefined && { delay: Math.round(delay) }),
    ...(until !== undefined && { until: Math.round(until) }),
  };
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isFailure(error: unknown): error is StepFailure | undefined {
  if (error === undefined) return true;
  const { kind, message, type } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return typeof kind === "string" && typeof message === "string" && isText(type);
}
