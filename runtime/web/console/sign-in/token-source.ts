/** Texts of forms, by their keys. */
export type Drafts = Map<string, string>;

/** Signing in at a separate authorisation server. An additional script provides it, if callers need a token. */
export interface SigningIn {
  /**
   * Sends the user to the authorisation server; what was typed into forms is there after the return. Rejects with a
   * sentence that gives the remedy.
   */
  leave(source: TokenSource, drafts: Drafts): Promise<void>;
  /**
   * Returns the token of a user who returns from signing in, if any, and puts back the drafts. Rejects with a sentence
   * that gives the remedy.
   */
  back(drafts: Drafts): Promise<string | undefined>;
}

/** Property of the page by which one script finds the object that another has made. */
export const signingInKey = "tenonSigningIn";

/** The authorisation server for a service, as the service's metadata names it (RFC 9728). */
export interface TokenSource {
  /** The authorisation server. */
  readonly issuer: string;
  readonly resource: string;
  /** Scopes, separated by blanks. */
  readonly scopes: string;
}
