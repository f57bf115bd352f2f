import { isLoopback, withoutBrackets } from "../../../base/loopback.ts";

export interface AccessOptions {
  /** True for a handler inside another application's server, which decides itself which host names it accepts. */
  readonly takesAnyName?: boolean;
  readonly allowedHosts: readonly string[] | undefined;
  /** Undefined: the server takes no other origins than its own, and names no way to allow them. */
  readonly allowedOrigins: readonly string[] | undefined;
  /** Gets lines for the log that tell the operator what to configure. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** Returns the reason to refuse a request; undefined: accepted. */
export type AccessRules = (
  host: string | undefined,
  origin: string | undefined,
  /** `health`: a probe, which may send any Host. `page`: a page that a browser shows. */
  kind?: "health" | "page",
) => string | undefined;

const hostRefused = "The Host header names a host that this service does not answer for (TENON_ALLOWED_HOSTS).";
const originRefused = "Pages of this origin may not call the service.";
const originRemedy =
  " List the origin in TENON_ALLOWED_ORIGINS or, where it is the service's own, its host in TENON_ALLOWED_HOSTS.";

/**
 * Checks `Host` and `Origin` before anything else in a request. This prevents DNS rebinding, by which a web page could
 * reach a service on its reader's own machine.
 */
export function createAccessRules(options: AccessOptions): AccessRules {
  const listed = new Set(options.allowedHosts);
  const origins = new Set(options.allowedOrigins);
  const checksHost = options.takesAnyName !== true || options.allowedHosts !== undefined;
  // Cache of one entry, since nearly all requests of a process have the same Host.
  let lastHost: string | undefined;
  const tellOrigin = createTeller(options.allowedOrigins && options.warn, originHint);
  const tellHost = createTeller(options.warn, hostHint);
  return (host, origin, kind) => {
    const mustKnow = kind === "page" || (checksHost && kind !== "health");
    if (mustKnow && (host === undefined || host !== lastHost)) {
      if (!isAllowedHost(host, listed)) {
        if (host !== undefined && options.allowedHosts === undefined) tellHost(host);
        return hostRefused;
      }
      lastHost = host;
    }
    if (origin === undefined || origins.has(origin)) return undefined;
    if (isAllowedHost(host, listed) && isOwnOrigin(origin, host)) return undefined;
    tellOrigin(origin);
    return options.allowedOrigins ? originRefused + originRemedy : originRefused;
  };
}

/** Maximum number of refused texts that are logged. Without a maximum, a client could fill the log. */
const mostTold = 10;

/** Logs, once for each refused text, what the operator can configure to accept it. */
function createTeller(warn: AccessOptions["warn"], hint: (text: string) => string | undefined): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    const line = warn === undefined || told.size >= mostTold ? undefined : hint(text);
    if (line === undefined || told.has(line)) return;
    told.add(line);
    warn?.(line);
  };
}

/** Hint for a developer whose page is served on another port of the same machine. */
function originHint(origin: string): string | undefined {
  const url = URL.parse(origin);
  if (url === null || origin !== url.origin || !isLoopback(url.hostname)) return undefined;
  return `A page of ${origin} was refused. To let it call, start the service with TENON_ALLOWED_ORIGINS=${origin}`;
}

/** Hint for a service that is called by a host name which is not configured. */
function hostHint(host: string): string | undefined {
  const name = /^[\w.-]{1,253}(?::\d+)?$/.test(host) ? URL.parse(`http://${host}/`)?.hostname : undefined;
  if (name === undefined) return undefined;
  return (
    `A call by the name ${name} was refused, since a web page can make any name lead here. If it is a name of this ` +
    `service, start it with TENON_ALLOWED_HOSTS=${name}`
  );
}

function isAllowedHost(host: string | undefined, listed: ReadonlySet<string>): host is string {
  if (host === undefined || host === "" || /[/@?#\\\s]/.test(host)) return false;
  const name = URL.parse(`http://${host}/`)?.hostname;
  if (name === undefined) return false;
  // `node:net` is loaded on demand: importing it would add 5 ms to the start of a service without a server.
  return (
    name === "localhost" || process.getBuiltinModule("node:net").isIP(withoutBrackets(name)) !== 0 || listed.has(name)
  );
}

/** True if an origin is the service's own: the host of the request, or another loopback name with the same port. */
function isOwnOrigin(origin: string, host: string): boolean {
  const url = URL.parse(origin);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || origin !== url.origin) return false;
  const own = URL.parse(`${url.protocol}//${host}/`);
  if (own === null) return false;
  return own.host === url.host || (own.port === url.port && isLoopback(own.hostname) && isLoopback(url.hostname));
}
