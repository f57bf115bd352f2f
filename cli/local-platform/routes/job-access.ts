import { ToolError } from "../../../runtime/base/errors.ts";
import type { Exchange } from "./exchange.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { HeldJob, JobTokens } from "../jobs/job-token.ts";

/**
 * The attempt that a call belongs to, by its token; undefined for a call without a token, which comes from your
 * terminal. Throws `unauthorized` for a token of another platform, and for lease headers that contradict it.
 */
export function callerOf(exchange: Exchange, tokens: JobTokens): HeldJob | undefined {
  const header = exchange.header("authorization");
  if (header === undefined) return undefined;
  const held = tokens.read(header);
  if (held === undefined) {
    throw new ToolError(
      "unauthorized",
      "The Authorization header is not a job's token of this platform. Leave it out, or send the one that came with the job.",
    );
  }
  return held;
}

/** The attempt that a call about job `id` belongs to. Throws `unauthorized`, `forbidden`. */
export function holderOf(exchange: Exchange, tokens: JobTokens, id: string | undefined): HeldJob {
  const held = callerOf(exchange, tokens);
  if (held === undefined) {
    throw new ToolError(
      "unauthorized",
      "This call needs the job's token: the Authorization header that came with the job.",
    );
  }
  const { lease } = held;
  if (id !== lease.id && `urn:platform:job:${id}` !== lease.id) {
    throw new ToolError("forbidden", "The token belongs to another job.");
  }
  return held;
}

/** True when a call's lease headers match its token, or are absent. */
export function echoesLease(exchange: Exchange, { lease }: HeldJob): boolean {
  const attempt = exchange.header("job-attempt");
  const nonce = exchange.header("job-lease");
  return (attempt === undefined || attempt === String(lease.attempt)) && (nonce === undefined || nonce === lease.token);
}

/** The job that writes, if a job does. An attempt that has lost its job may not write. */
export async function writerOf(
  exchange: Exchange,
  { tokens, queue }: { readonly tokens: JobTokens; readonly queue: JobQueue },
): Promise<string | null> {
  const held = callerOf(exchange, tokens);
  if (held === undefined) return null;
  const answer = echoesLease(exchange, held) ? await queue.renew(held) : "stale";
  if (answer === "ok") return held.lease.id;
  exchange.request.resume();
  throw new ToolError("cancelled", "This attempt no longer holds its job: it may not write.");
}
