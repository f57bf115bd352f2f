import { asRecord, asText } from "../base/json.ts";
import type { TokenSource } from "./token-source.ts";

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
