import { isLoopback } from "../../base/loopback.ts";
import { StartError } from "../../base/start-error.ts";

/** Authentication of callers by JWT access tokens of an OAuth 2.1 authorisation server. */
export interface AuthOptions {
  /** Address of the authorisation server, exactly as in the claim `iss` of its tokens. Env `TENON_AUTH_ISSUER`. */
  readonly issuer?: string;
  /**
   * The `aud` of tokens for this service; preferably its public address, such as `https://tools.example.org/mcp`. Env
   * `TENON_AUTH_AUDIENCE`.
   */
  readonly audience?: string;
  /** The public address, if `audience` is not an address. Env `TENON_AUTH_RESOURCE`. */
  readonly resource?: string;
  /** Scopes that every request needs. Env `TENON_AUTH_SCOPES`, separated by spaces. */
  readonly scopes?: readonly string[];
  /**
   * Id of the console as a client of the authorisation server; without it the page registers itself, if the server
   * allows that. Env `TENON_AUTH_CLIENT_ID`.
   */
  readonly clientId?: string;
}

/** {@link AuthOptions}, checked and complete. */
export interface AuthConfig {
  readonly issuer: string;
  readonly audience: string;
  /** RFC 8707 identifier of this service, an absolute URL without a slash at the end of its host. */
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly clientId: string | undefined;
}

/** A scope by RFC 6749. */
const scopeShape = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Reads the authorisation settings of the entry and the environment; undefined when there are none. Throws
 * `StartError`.
 *
 * @param given From the entry. Options without a value require authorisation, too: variables that they are read from may
 * be missing.
 */
export function readAuth(text: (name: string) => string | undefined, given?: AuthOptions): AuthConfig | undefined {
  const options = given ?? {};
  const issuer = options.issuer ?? text("TENON_AUTH_ISSUER");
  const audience = options.audience ?? text("TENON_AUTH_AUDIENCE");
  const resource = options.resource ?? text("TENON_AUTH_RESOURCE");
  const scopes =
    options.scopes ??
    text("TENON_AUTH_SCOPES")
      ?.split(/[\s,]+/)
      .filter((scope) => scope !== "");
  const clientId = options.clientId ?? text("TENON_AUTH_CLIENT_ID");
  if ((given ?? issuer ?? audience ?? resource ?? scopes ?? clientId) === undefined) return undefined;
  // A service with an incomplete configuration must not seem to be protected.
  if (issuer === undefined) throw new StartError(missing("issuer", "TENON_AUTH_ISSUER", "https://login.example.org"));
  if (audience === undefined)
    throw new StartError(missing("audience", "TENON_AUTH_AUDIENCE", "https://tools.example.org/mcp"));
  checkIssuer(issuer);
  for (const scope of scopes ?? []) {
    if (!scopeShape.test(scope))
      throw new StartError(
        `TENON_AUTH_SCOPES: ${JSON.stringify(scope)} is not a valid scope; write names separated by spaces.`,
      );
  }
  return { issuer, audience, resource: readResource(resource, audience), scopes: [...new Set(scopes)], clientId };
}

/** True for an address to which tokens and keys may be sent: it is encrypted, or on this machine. */
export function isSafeAddress(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

function checkIssuer(issuer: string): void {
  const url = URL.parse(issuer);
  if (url !== null && isSafeAddress(url) && url.search === "" && url.hash === "" && url.username === "") return;
  throw new StartError(
    `TENON_AUTH_ISSUER is ${JSON.stringify(issuer)}; it must be the https address that tokens have in "iss", ` +
      "without query (http is allowed on this machine only).",
  );
}

function readResource(resource: string | undefined, audience: string): string {
  const address = resource ?? audience;
  const url = URL.parse(address);
  if (url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.hash === "" && url.username === "")
    return url.pathname === "/" && url.search === "" ? url.origin : url.href;
  throw new StartError(
    resource === undefined
      ? `TENON_AUTH_AUDIENCE is ${JSON.stringify(audience)}, which is not an address: set TENON_AUTH_RESOURCE to the ` +
          "public address of this service."
      : `TENON_AUTH_RESOURCE is ${JSON.stringify(resource)}; it must be the public address of this service.`,
  );
}

function missing(option: string, variable: string, example: string): string {
  return `Authorisation needs an ${option}: set ${variable}, or auth.${option} in the start call, for example ${example}.`;
}
