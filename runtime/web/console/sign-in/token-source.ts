import { asRecord, asText } from "../base/json.ts";

/** Place to get a token, as the service says (RFC 9728). */
export interface TokenSource {
  /** The authorisation server. */
  readonly issuer: string;
  readonly resource: string;
  /** Separated by blanks. */
  readonly scopes: string;
}

/** Reads the service's own document about tokens; undefined where it has none. */
export async function readSource(address: string | undefined): Promise<TokenSource | undefined> {
  if (address === undefined) return undefined;
  // The public address of the service may not be the one that it is reached at.
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
