import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { getLogger } from "../../../../telemetry/log/logging.ts";
import { StoreError } from "../../store-error.ts";
import type { Address } from "./address.ts";
import { postgresCode } from "./postgres-error.ts";

/** TLS of a connection; false: none. */
export type Tls = ConnectionOptions | false;

/**
 * Lists the ways to connect, in the order in which they are tried, as in psql for `sslmode`. Without `sslmode`, TLS is
 * tried first for a server on another machine, and last for a server on this machine.
 */
function waysTo({ options, isHere, login, setting }: Address): readonly Tls[] {
  // Unix-domain sockets do not use TLS.
  if (/^[/@]/.test(login.host ?? "")) return [false];
  const root = options.get("sslrootcert");
  const isDirect = options.get("sslnegotiation") === "direct";
  const mode = options.get("sslmode") ?? usualMode(root, isDirect, isHere);
  if (isDirect && ["disable", "allow", "prefer"].includes(mode)) {
    throw new StoreError(
      `${setting} has sslnegotiation=direct, which needs sslmode=require, verify-ca or verify-full.`,
    );
  }
  if (root === "system" && mode !== "verify-full") {
    throw new StoreError(`${setting} has sslrootcert=system, which needs sslmode=verify-full.`);
  }
  if (mode === "verify-ca" && root === undefined) {
    throw new StoreError(
      `${setting} has sslmode=verify-ca without sslrootcert=FILE, the certificate of the authority. Add it, or write ` +
        "sslmode=verify-full for one that is known here.",
    );
  }
  if (mode === "disable") return [false];
  const tls = tlsOf(options, mode, setting);
  if (mode === "allow") return [false, tls];
  return mode === "prefer" ? [tls, false] : [tls];
}

function usualMode(root: string | undefined, isDirect: boolean, isHere: boolean): string {
  if (root === "system") return "verify-full";
  if (isDirect) return "require";
  return isHere ? "allow" : "prefer";
}

function tlsOf(options: Address["options"], mode: string, setting: string): ConnectionOptions {
  const file = (name: "sslcert" | "sslkey" | "sslrootcert"): { readonly get?: () => string } => {
    const path = options.get(name);
    if (path === undefined || path === "system") return {};
    const content = name === "sslkey" ? "PRIVATE KEY" : "CERTIFICATE";
    return { get: rereadable(path, content, `${setting} has ${name}=${path}`) };
  };
  const [ca, cert, key] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  const [minVersion, maxVersion] = [options.get("ssl_min_protocol_version"), options.get("ssl_max_protocol_version")];
  const passphrase = options.get("sslpassword");
  const checksName = mode === "verify-full";
  const tls: ConnectionOptions = {
    // If the certificate of an authority is given, `require` means `verify-ca`.
    rejectUnauthorized: checksName || mode === "verify-ca" || (mode === "require" && ca.get !== undefined),
    ...(!checksName && { checkServerIdentity: () => undefined }),
    ...(passphrase !== undefined && { passphrase }),
    ...(minVersion !== undefined && { minVersion: minVersion as "TLSv1.2" }),
    ...(maxVersion !== undefined && { maxVersion: maxVersion as "TLSv1.2" }),
  };
  for (const [name, { get }] of Object.entries({ ca, cert, key })) {
    if (get !== undefined) Object.defineProperty(tls, name, { get, enumerable: true, configurable: true });
  }
  return tls;
}

/**
 * Reads a file again for each connection, since certificates are renewed; if the file is missing, its last content is
 * used. A file without the content that is asked for is refused at first, since the driver would ignore it.
 */
function rereadable(path: string, content: "CERTIFICATE" | "PRIVATE KEY", what: string): () => string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new StoreError(`${what}, which cannot be read (${postgresCode(error) ?? String(error)}).`);
  }
  if (!new RegExp(`-----BEGIN [A-Z\\d ]*${content}-----`).test(text)) {
    throw new StoreError(
      `${what}, in which there is no ${content.toLowerCase()} in PEM form. Name a file that has one.`,
    );
  }
  return () => {
    try {
      text = readFileSync(path, "utf8");
    } catch {
      // Errors are ignored here, since the driver would not report them. The connection then fails by itself.
    }
    return text;
  };
}

/**
 * Connects as `sslmode` asks; later connections use the way that succeeded first, so that an attacker cannot downgrade
 * them from TLS. All connections to one address therefore share one negotiation. A connection to another machine
 * without TLS is logged once.
 */
export class Negotiation {
  readonly address: Address;
  #ways: readonly Tls[] | undefined;
  #isTold = false;

  constructor(address: Address) {
    this.address = address;
  }

  async run<T>(connect: (tls: Tls) => Promise<T>): Promise<T> {
    const ways = (this.#ways ??= waysTo(this.address));
    // Of two refusals, that of TLS says more, unless it only says that there is no TLS.
    let refusal: unknown;
    for (const tls of ways) {
      // Logged before the password is sent.
      if (tls === false) this.#tell(refusal === undefined || offersNoTls(refusal));
      try {
        const connected = await connect(tls);
        this.#ways = [tls];
        return connected;
      } catch (error) {
        if (!offersNoTls(error) && postgresCode(error) !== "28000") throw error;
        if (refusal === undefined || offersNoTls(refusal) || (tls !== false && !offersNoTls(error))) refusal = error;
      }
    }
    throw refusal;
  }

  /** @param isWithout True if the server offers no TLS; otherwise it has refused a connection with TLS. */
  #tell(isWithout: boolean): void {
    const { isHere, shown, options, setting } = this.address;
    if (isHere || this.#isTold) return;
    this.#isTold = true;
    const mode = options.get("sslmode");
    const isChosen = mode === "disable";
    const why = isChosen || mode === "allow" ? `sslmode=${mode}` : isWithout ? "it offers none" : "it refused it";
    const mend = isWithout ? "Turn it on at the server (ssl = on)" : "Look into its pg_hba.conf";
    const advice = isChosen ? "" : ` ${mend}, or write sslmode=disable if that is meant.`;
    const log = getLogger("tenon");
    log[isChosen ? "info" : "warn"](
      `${setting}: ${shown} is reached without TLS (${why}): what is sent, and a password that the server asks for in ` +
        `clear, can be read on the way.${advice}`,
    );
  }
}

function offersNoTls(error: unknown): boolean {
  return error instanceof Error && error.message === "The server does not support SSL connections";
}
