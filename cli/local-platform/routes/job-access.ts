import { ToolError } from "../../../runtime/base/errors.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { Exchange } from "./exchange.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { HeldJob, JobTokens } from "../jobs/job-token.ts";

/**
 * Finds by its token the attempt that a call belongs to; undefined for a call without a token, for example from a
 * terminal. Throws `unauthorized` for a token of another platform, and for lease headers that contradict the token.
 */
export function callerOf(exchange: Exchange, tokens: JobTokens): HeldJob | undefined {
  const header = exchange.header("authorization");
  if (header === undefined || tokens.isOperator(header)) return undefined;
  const held = tokens.read(header);
  if (held === undefined) {
    throw new ToolError(
      "unauthorized",
      "The Authorization header is not a job token of this platform. Leave it out, or send the one that came with the job.",
    );
  }
  return held;
}

/** Finds the attempt that a call about the job `id` belongs to. Throws `unauthorized`, `forbidden`. */
export function holderOf(exchange: Exchange, tokens: JobTokens, id: string | undefined): HeldJob {
  const held = callerOf(exchange, tokens);
  if (held === undefined) {
    throw new ToolError(
      "unauthorized",
      "This call needs the job's token: the Authorization header that came with the job.",
    );
  }
  requireJob(held.lease.id, id);
  return held;
}

/** Refuses the token of the job `own` for what belongs to another job, or to none. Throws `forbidden`. */
export function requireJob(own: JobUrn, id: string | null | undefined): void {
  if (id !== own && `urn:platform:job:${id}` !== own) {
    throw new ToolError("forbidden", "The token belongs to another job.");
  }
}

/** Rights of callers without a token: all; submitting jobs and reading jobs whose ids they know; or none. */
export type Strangers = "all" | "submit" | "none";

/** Paths that workers and probes request before they can have a token. */
const openPaths: ReadonlySet<string> = new Set(["", "next_job", "healthz", "readyz", "_healtz"]);

/**
 * Refuses actions that callers without a token may not do. Throws `unauthorized`, also for a token of another platform.
 */
export function admitStranger(exchange: Exchange, tokens: JobTokens, strangers: Strangers): void {
  const [first = ""] = exchange.segments;
  if (openPaths.has(first)) return;
  if (exchange.header("authorization") !== undefined) {
    callerOf(exchange, tokens);
    return;
  }
  if (strangers === "all") return;
  if (strangers === "submit" && isHandingIn(exchange)) return;
  throw new ToolError("unauthorized", "Callers without a token may not do this (tenon platform --strangers).");
}

function isHandingIn({ method, segments }: Exchange): boolean {
  const [first, service, part, id] = segments;
  if (first === "jobs") return method === "GET" && service !== undefined;
  // Queue and metrics contain only numbers, which autoscalers need.
  if (first === "queue" || first === "metrics") return true;
  if (first !== "services2") return false;
  return part === undefined
    ? method === "GET"
    : method === "POST"
      ? id === undefined
      : id !== undefined && method === "GET";
}

/** Refuses a job that asks about a job other than itself and those that it has submitted. Throws `forbidden`. */
export function requireOwn(held: HeldJob | undefined, job: { readonly id: string; readonly owner?: string }): void {
  if (held !== undefined && job.id !== held.lease.id && job.owner !== held.lease.id)
    throw new ToolError(
      "forbidden",
      "The token belongs to another job: it sees its own, and those that it has handed in.",
    );
}

/** Refuses a job's token for routes that only the operator may read. Throws `forbidden`. */
export function refuseJobs(held: HeldJob | undefined): void {
  if (held !== undefined) throw new ToolError("forbidden", "A job's token sees no more than its own jobs.");
}

/** True when the lease headers of a call match its token, or are absent. */
export function echoesLease(exchange: Exchange, { lease }: HeldJob): boolean {
  const attempt = exchange.header("job-attempt");
  const nonce = exchange.header("job-lease");
  return (attempt === undefined || attempt === String(lease.attempt)) && (nonce === undefined || nonce === lease.token);
}

/** Returns the job that makes the call, if a job does. Refuses an attempt that has lost its lease. */
export async function writerOf(
  exchange: Exchange,
  { tokens, queue }: { readonly tokens: JobTokens; readonly queue: JobQueue },
): Promise<JobUrn | null> {
  const held = callerOf(exchange, tokens);
  if (held === undefined) return null;
  const answer = echoesLease(exchange, held) ? await queue.renew(held) : "stale";
  if (answer === "ok") return held.lease.id;
  exchange.request.resume();
  throw new ToolError("cancelled", "This attempt no longer holds its job: it may not write.");
}
