/** The caller, identified by a valid token. Without authorisation there is no caller, and everything is open. */
export interface Caller {
  /** The same text for every token of a subject; jobs belong to it. Never a credential. */
  readonly owner: string;
  readonly scopes: ReadonlySet<string>;
  /**
   * Throws `insufficient-scope`, with a challenge for clients that can request more, unless the caller has all scopes.
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
