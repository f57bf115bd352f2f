import type { OutboundJob } from "./job-headers.ts";

/**
 * The hops of one call: a request with its redirects and retries. Created at the call by author code, so that its job
 * is the caller's, even if a callback of another job sends a later hop.
 */
export interface Chain {
  /** Job of the call; undefined outside a job. */
  readonly job: OutboundJob | undefined;
  /** True if an earlier hop went to an external host: later hops never get the token again. */
  external: boolean;
  /** True if the last hop was https. A later hop without https must not carry the token. */
  secure: boolean;
  /** Origins of redirects that must not get the token; for `node:http`, where each hop is a call. */
  refused: Set<string> | undefined;
}

/** Starts the chain of a new call. */
export function startChain(job: OutboundJob | undefined): Chain {
  return { job, external: false, secure: false, refused: undefined };
}

/** Records the next hop. Returns `known` when the hop may be trusted as far as its host. */
export function followChain(chain: Chain, origin: string, external: boolean): "known" | "redirected" {
  // The scheme is `https:` or `http:`, so the fifth character distinguishes them.
  const secure = origin[4] === "s";
  const redirected = chain.external || (chain.secure && !secure);
  chain.external ||= external;
  chain.secure = secure;
  return redirected ? "redirected" : "known";
}

/**
 * Records a redirect by a `node:http` answer if the next request must not carry the token.
 *
 * @param external True if the answer is from an external host, or an external host has led to the one that answers.
 */
export function noteRedirect(chain: Chain, from: string, external: boolean, status: number, location: unknown): void {
  if (status < 300 || status > 399 || typeof location !== "string") return;
  const to = URL.parse(location, from);
  if (to === null) return;
  const refused = external || (from.startsWith("https:") && to.protocol === "http:");
  if (refused) (chain.refused ??= new Set()).add(to.origin);
}
