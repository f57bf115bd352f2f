import type { TokenSource } from "./token-source.ts";

/** Authorisation at a server of its own. A script beside the console's makes it, where callers need a token. */
export interface SigningIn {
  /** Leads the person to the authorisation server. Rejects with a sentence that says what to do. */
  leave(source: TokenSource): Promise<void>;
  /** The token of somebody who comes back, if somebody does; rejects with a sentence that says what to do. */
  back(): Promise<string | undefined>;
}

/** The name in the page under which one script finds what the other made. */
export const signingInKey = "tenonSigningIn";
