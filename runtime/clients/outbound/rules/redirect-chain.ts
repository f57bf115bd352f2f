import type { OutboundJob } from "./job-headers.ts";

/**
 * The hops of one call: a request with its redirects and retries. Made where the author's code calls, so that its job
 * is the caller's, whoever's callback sends a later hop.
 */
export interface Chain {
  /** Undefined outside a job. */
  readonly job: OutboundJob | undefined;
  /** An earlier hop went to an external host: hops from there never gain the token. */
  external: boolean;
  /** The last hop was https: one that is not must not carry the token on. */
  secure: boolean;
  /** Origins that answers redirected to which must not give the token away; for `node:http`, where hops are calls. */
  refused: Set<string> | undefined;
}

export function startChain(job: OutboundJob | undefined): Chain {
  return { job, external: false, secure: false, refused: undefined };
}

/** Whether the next hop of the chain may be as trusted as its host; notes the hop. */
export function followChain(chain: Chain, origin: string, external: boolean): "known" | "redirected" {
  // `https:` or `http:`, and nothing else.
  const secure = origin[4] === "s";
  const redirected = chain.external || (chain.secure && !secure);
  chain.external ||= external;
  chain.secure = secure;
  return redirected ? "redirected" : "known";
}

/** Notes where the answer of a `node:http` request leads, when the request that follows it must not carry the token. */
export function noteRedirect(chain: Chain, from: string, external: boolean, status: number, location: unknown): void {
  if (status < 300 || status > 399 || typeof location !== "string") return;
  const to = URL.parse(location, from);
  if (to === null) return;
  const refused = external || (from.startsWith("https:") && to.protocol === "http:");
  if (refused) (chain.refused ??= new Set()).add(to.origin);
}
