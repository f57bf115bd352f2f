import { ByteGatherer } from "../../base/byte-gatherer.ts";
import { isSafeAddress } from "../../service/config/auth-config.ts";

/** Timeout in milliseconds of one document. */
const patience = 5000;
const mostBytes = 1024 * 1024;

/** Fetches JSON of the authorisation server. */
export type FetchJson = (address: string) => Promise<unknown>;

/** Throws for everything but a JSON document of reasonable size from that exact address. */
export const fetchJson: FetchJson = async (address) => {
  const response = await fetch(address, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(patience),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${address} answered ${response.status}`);
  }
  const bytes = new ByteGatherer();
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > mostBytes) throw new Error(`${address} is larger than ${mostBytes} bytes`);
    bytes.add(part);
  }
  return JSON.parse(bytes.whole().toString("utf8")) as unknown;
};

/**
 * Finds the address of an issuer's keys in its metadata (RFC 8414, or OpenID Connect Discovery). Addresses come only
 * from the configured issuer, never from a token. Throws when no document names them.
 */
export async function findKeysAddress(issuer: string, fetchDocument: FetchJson): Promise<string> {
  const problems: string[] = [];
  for (const address of metadataAddresses(issuer)) {
    let document: unknown;
    try {
      document = await fetchDocument(address);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
      continue;
    }
    const found = (typeof document === "object" ? document : null) as Readonly<Record<string, unknown>> | null;
    const keys = typeof found?.["jwks_uri"] === "string" ? URL.parse(found["jwks_uri"]) : null;
    if (found?.["issuer"] !== issuer) problems.push(`${address} is about another issuer`);
    else if (keys === null || !isSafeAddress(keys)) problems.push(`${address} names no https address in jwks_uri`);
    else return keys.href;
  }
  throw new Error(problems.join("; "));
}

function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, "");
  return [
    ...new Set([
      `${origin}${path}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
    ]),
  ];
}
