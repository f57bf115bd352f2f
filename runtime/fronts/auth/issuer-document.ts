import { ByteGatherer } from "../../base/byte-gatherer.ts";
import { isSafeAddress } from "../../service/config/auth-config.ts";

/** Timeout in milliseconds of one document. */
const patience = 5000;
const mostBytes = 1024 * 1024;

/** Fetches JSON of the authorisation server. */
export type FetchJson = (address: string) => Promise<unknown>;

/** Fetches a document. Throws unless it gets a JSON document of reasonable size from exactly this address. */
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
 * Finds the address of an issuer's keys in its metadata. Addresses come only from the configured issuer, never from a
 * token. Throws when no document names them.
 */
export async function findKeysAddress(issuer: string, fetchDocument: FetchJson): Promise<string> {
  const read = (document: IssuerDocument): string | undefined => {
    const keys = addressIn(document, "jwks_uri");
    return keys !== undefined && isSafeAddress(keys) ? keys.href : undefined;
  };
  return findInMetadata(issuer, fetchDocument, read, "names no https address in jwks_uri");
}

/** Metadata of an authorisation server. */
export type IssuerDocument = Readonly<Record<string, unknown>>;

/** The address under a key of the metadata; undefined if there is none. */
export function addressIn(document: IssuerDocument, key: string): URL | undefined {
  const text = document[key];
  return typeof text === "string" ? (URL.parse(text) ?? undefined) : undefined;
}

/**
 * Reads the metadata of an issuer (RFC 8414, or OpenID Connect Discovery): returns the first value that `read` finds in
 * one of its documents. Throws if there is none.
 *
 * @param lack Error text for documents without the value
 */
export async function findInMetadata<T>(
  issuer: string,
  fetchDocument: FetchJson,
  read: (document: IssuerDocument) => T | undefined,
  lack: string,
): Promise<T> {
  const problems: string[] = [];
  for (const address of metadataAddresses(issuer)) {
    let document: unknown;
    try {
      document = await fetchDocument(address);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
      continue;
    }
    const known = (typeof document === "object" ? document : null) as IssuerDocument | null;
    const found = known === null ? undefined : read(known);
    if (known?.["issuer"] !== issuer) problems.push(`${address} is about another issuer`);
    else if (found === undefined) problems.push(`${address} ${lack}`);
    else return found;
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
