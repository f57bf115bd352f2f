import type { JobCaller } from "../../job/job.ts";

/** The caller, as a valid token says. Without authorisation there is no caller, and everything is open. */
export interface Caller {
  /** The same text for every token of a subject; jobs belong to it. Never a credential. */
  readonly owner: string;
  readonly scopes: ReadonlySet<string>;
  /** The caller as tools see it. */
  readonly identity: JobCaller;
  /** Throws `insufficient-scope`, with the challenge for clients that can ask for more, unless the caller has them all. */
  require(scopes: readonly string[]): void;
}

/**
 * True when a caller with the scopes `has` may see a function that needs `needs`. `has` is undefined if callers are not
 * authenticated.
 */
export function sees(has: ReadonlySet<string> | undefined, needs: readonly string[] | undefined): boolean {
  return has === undefined || needs === undefined || needs.every((scope) => has.has(scope));
}
