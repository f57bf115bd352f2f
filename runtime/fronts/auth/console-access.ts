import { isSafeAddress } from "../../service/config/auth-config.ts";
import type { AuthConfig } from "../../service/config/auth-config.ts";
import type { ConsoleAccess } from "../http/console-page.ts";
import { addressIn, fetchJson, findInMetadata } from "./issuer-document.ts";
import type { FetchJson, IssuerDocument } from "./issuer-document.ts";

/** Milliseconds until metadata that could not be read is asked for again. */
const retryAfter = 30_000;

/**
 * Creates the question where the page of the console may sign in: the origins of the issuer and of the addresses that
 * its metadata names. Without that document the issuer's alone; the page then says what is wrong.
 */
export function createConsoleAccess(
  { issuer, clientId }: Pick<AuthConfig, "issuer" | "clientId">,
  fetchDocument: FetchJson = fetchJson,
): () => Promise<ConsoleAccess> {
  const own = new URL(issuer).origin;
  let known: Promise<readonly string[]> | undefined;
  const look = async (): Promise<readonly string[]> => {
    const asked = Date.now();
    try {
      return await findInMetadata(issuer, fetchDocument, originsIn, "names no addresses");
    } catch {
      // The page is open to everybody: it must not make a request to the issuer for each of its own.
      setTimeout(() => (known = undefined), Math.max(0, asked + retryAfter - Date.now())).unref();
      return [];
    }
  };
  return async () => ({ clientId, origins: [...new Set([own, ...(await (known ??= look()))])] });
}

function originsIn(document: IssuerDocument): readonly string[] {
  const addresses = ["token_endpoint", "registration_endpoint"].map((key) => addressIn(document, key));
  return addresses.flatMap((address) => (address !== undefined && isSafeAddress(address) ? [address.origin] : []));
}
