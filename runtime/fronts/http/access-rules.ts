import { isLoopback, withoutBrackets } from "../../base/loopback.ts";

export interface AccessOptions {
  /** The address that the service listens on. */
  readonly host: string;
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
}

/** Returns the reason to refuse a request; undefined: accepted. */
export type AccessRules = (
  host: string | undefined,
  origin: string | undefined,
  isHealth: boolean,
) => string | undefined;

const hostRefused = "The Host header names a host that this service does not answer for (TENON_ALLOWED_HOSTS).";
const originRefused = "Requests of this origin are not allowed (TENON_ALLOWED_ORIGINS).";

/**
 * Checks `Host` and `Origin` before anything else in a request. It keeps web pages from reaching a service on the
 * reader's own machine by DNS rebinding.
 */
export function createAccessRules(options: AccessOptions): AccessRules {
  const listed = new Set(options.allowedHosts);
  const origins = new Set(options.allowedOrigins);
  const checksHost = isLoopback(options.host) || options.allowedHosts !== undefined;
  // A cache: nearly every request of a process has the same Host.
  let lastHost: string | undefined;
  return (host, origin, isHealth) => {
    if (checksHost && !isHealth && (host === undefined || host !== lastHost)) {
      if (!isAllowedHost(host, listed)) return hostRefused;
      lastHost = host;
    }
    if (origin === undefined) return undefined;
    return isAllowedOrigin(origin, host, origins) ? undefined : originRefused;
  };
}

function isAllowedHost(host: string | undefined, listed: ReadonlySet<string>): boolean {
  if (host === undefined || host === "" || /[/@?#\\\s]/.test(host)) return false;
  const name = URL.parse(`http://${host}/`)?.hostname;
  if (name === undefined) return false;
  // An import of the module would add 5 ms to the start of a service without a server.
  return (
    name === "localhost" || process.getBuiltinModule("node:net").isIP(withoutBrackets(name)) !== 0 || listed.has(name)
  );
}

function isAllowedOrigin(origin: string, host: string | undefined, listed: ReadonlySet<string>): boolean {
  if (listed.has(origin)) return true;
  const url = URL.parse(origin);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || origin !== url.origin) return false;
  if (isLoopback(url.hostname)) return true;
  return host !== undefined && URL.parse(`${url.protocol}//${host}/`)?.host === url.host;
}
