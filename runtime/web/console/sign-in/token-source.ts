import { asRecord, asText } from "../base/json.ts";

/** Signing in at a separate authorisation server. An additional script provides it, if callers need a token. */
export interface SigningIn {
  /** Sends the user to the authorisation server. Rejects with a sentence that gives the remedy. */
  leave(source: TokenSource): Promise<void>;
  /** Returns the token of a user who returns from signing in, if any. Rejects with a sentence that gives the remedy. */
  back(): Promise<string | undefined>;
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

/** Reads the service's metadata about tokens; undefined if it has none. */
export async function readSource(address: string | undefined): Promise<TokenSource | undefined> {
  if (address === undefined) return undefined;
  // Only the path is used, since the service may be reached at another address than its public one.
  const response = await fetch(new URL(address, location.href).pathname);
  if (!response.ok) return undefined;
  const body = asRecord(await response.json());
  const servers = body["authorization_servers"];
  const scopes = body["scopes_supported"];
  return {
    issuer: (Array.isArray(servers) && asText(servers[0])) || "",
    resource: asText(body["resource"]) ?? "",
    scopes: Array.isArray(scopes) ? scopes.join(" ") : "",
  };
}
