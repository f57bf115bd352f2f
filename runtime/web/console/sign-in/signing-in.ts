import type { TokenSource } from "./token-source.ts";

/** Signing in at a separate authorisation server. An additional script provides it, if callers need a token. */
export interface SigningIn {
  /** Sends the user to the authorisation server. Rejects with a sentence that gives the remedy. */
  leave(source: TokenSource): Promise<void>;
  /** Returns the token of a user who returns from signing in, if any. Rejects with a sentence that gives the remedy. */
  back(): Promise<string | undefined>;
}

/** Property of the page by which one script finds the object that another has made. */
export const signingInKey = "tenonSigningIn";
