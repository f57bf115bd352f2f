import type { Environment } from "./read-settings.ts";
import { notUrlError, StartError } from "../../base/start-error.ts";
import { localSuffixes } from "./classify-host.ts";

/** Address of the proxy that forwards external requests. */
export interface ForwardProxy {
  readonly origin: string;
  readonly protocol: "http:" | "https:";
  /** Host name in the form that sockets take: an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Path and query of the proxy's address. */
  readonly path: string;
}

/** A telemetry endpoint: matches requests to this origin, at or below this path. */
interface TelemetryEndpoint {
  readonly origin: string;
  /** Without a slash at the end; empty for the whole origin. */
  readonly path: string;
}

/** Destinations of outbound requests and the credentials they may carry. Fixed at start. */
export interface OutboundPolicy {
  /** Local suffixes in lower case, each with its leading dot. */
  readonly suffixes: readonly string[];
  /** Set only on the platform. Without it, no token leaves the process. */
  readonly sidecarOrigin: string | undefined;
  readonly proxy: ForwardProxy | undefined;
  readonly telemetry: readonly TelemetryEndpoint[];
}

const defaultSuffix = ".platform.net";
const endpointVariables = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
  "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
  "OBSERVER_OTLP_ENDPOINT",
  "OBSERVER_URL",
] as const;

/**
 * Reads the policy from the environment. An empty variable counts as unset.
 * @throws {StartError} for an invalid value, in one line that names the variable
 */
export function resolveOutboundPolicy(env: Environment): OutboundPolicy {
  const sidecar = readUrl(env, "PLATFORM_BASE_URL");
  // An address without a scheme is for gRPC, which is not HTTP/1; telemetry refuses it for other protocols.
  const endpoints = endpointVariables.flatMap((name) => (env[name]?.includes("://") && readUrl(env, name)) || []);
  return {
    suffixes: [...localSuffixes, readSuffix(env["PLATFORM_DOMAIN_SUFFIX"] || defaultSuffix)],
    sidecarOrigin: sidecar?.origin,
    proxy: readProxy(readUrl(env, "PLATFORM_PROXY_URL")),
    telemetry: endpoints.map(({ origin, pathname }) => ({ origin, path: pathname.replace(/\/+$/, "") })),
  };
}

function readUrl(env: Environment, name: string): URL | undefined {
  const text = env[name];
  if (text === undefined || text === "") return undefined;
  const url = URL.parse(text);
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw notUrlError(name, text);
}

function readSuffix(text: string): string {
  const name = text.trim().replace(/^\./, "").replace(/\.$/, "");
  const hostname = /[/\\@?#:%\s]/.test(name) ? undefined : URL.parse(`http://a.${name}/`)?.hostname.slice(2);
  // A name whose last label has only digits is not a suffix: the URL parser reads it as an IPv4 address, or refuses it.
  if (hostname !== undefined && /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(hostname)) return `.${hostname}`;
  throw new StartError(
    `PLATFORM_DOMAIN_SUFFIX is ${JSON.stringify(text)}; it must be the end of a host name such as .platform.net.`,
  );
}

function readProxy(url: URL | undefined): ForwardProxy | undefined {
  if (url === undefined) return undefined;
  if (url.username !== "" || url.password !== "") {
    throw new StartError("PLATFORM_PROXY_URL must not hold a user name or a password; they would be sent nowhere.");
  }
  const secure = url.protocol === "https:";
  return {
    origin: url.origin,
    protocol: secure ? "https:" : "http:",
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
  };
}
