import type { JobCaller } from "../../job/job.ts";

/** The caller that a valid token identifies. Without authentication callers are unknown, and everything is public. */
export interface Caller {
  /** Id of the token's subject, which is the same for each of its tokens; jobs belong to it. Never a credential. */
  readonly owner: string;
  readonly scopes: ReadonlySet<string>;
  /** The caller as tools see it. */
  readonly identity: JobCaller;
  /**
   * Throws `insufficient-scope`, with a challenge for clients that can request more scopes, unless the caller has all
   * of them.
   */
  require(scopes: readonly string[]): void;
}

/**
 * True when a caller with the scopes `has` may see a function that needs `needs`. `has` is undefined if callers are not
 * authenticated.
 */
export function sees(has: ReadonlySet<string> | undefined, needs: readonly string[] | undefined): boolean {
  return has === undefined || needs === undefined || needs.every((scope) => has.has(scope));
}
