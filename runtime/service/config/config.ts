import {
  type Environment,
  oneOf,
  readConcurrency,
  readHost,
  readHosts,
  readOrigins,
  readPort,
  readRate,
  readSeconds,
  readStateKey,
  readUrl,
  type Rate,
} from "./read-settings.ts";
import { readAuth, type AuthConfig, type AuthOptions } from "./auth-config.ts";
import { parseFlags, type Flags, type Flavour } from "./flags.ts";
import { readHttpLimits, type HttpLimits } from "./http-limits.ts";
import { resolveOutboundPolicy, type OutboundPolicy } from "./outbound-policy.ts";

export type { Environment } from "./read-settings.ts";

/** All settings from the environment and the command line. Read once at start, then only passed on. */
export interface Config {
  readonly flags: Flags;
  readonly host: string;
  readonly port: number;
  /** Values of `Host` that are allowed in addition to IP literals, lower case; undefined when no list was given. */
  readonly allowedHosts: readonly string[] | undefined;
  /** Origins of web pages that may call, in addition to the service's own. */
  readonly allowedOrigins: readonly string[];
  /** False: no console is served. */
  readonly console: boolean;
  /** Limits on the resources that one client may use. */
  readonly limits: HttpLimits;
  /** True: reads requests without Node's streams and header objects. */
  readonly shortRequests: boolean;
  /** Authentication of callers; undefined: none. */
  readonly auth: AuthConfig | undefined;
  /** Limit of requests per caller; undefined when there is none. */
  readonly rateLimit: Rate | undefined;
  /** Address of the sidecar, without a slash at the end; undefined outside the platform. */
  readonly platformBaseUrl: string | undefined;
  readonly serviceId: string | undefined;
  readonly serviceName: string | undefined;
  readonly policyUrn: string;
  readonly resourcesFile: string;
  /** True when the file was named explicitly; it must then exist. */
  readonly resourcesFileGiven: boolean;
  readonly image: string | undefined;
  readonly entrypoint: string | undefined;
  readonly dockerfile: string;
  readonly dockerfileGiven: boolean;
  /** Destinations that requests of jobs may have, and the credentials that these may carry. */
  readonly outbound: OutboundPolicy;
  readonly logLevel: string;
  readonly logFormat: string | undefined;
  /**
   * Key that signs the state which MCP clients keep between a question and its answer; shared by all instances of a
   * service.
   */
  readonly stateKey: string | undefined;
  /** Adds the tools `job_status`, `job_result` and `job_cancel` to MCP, for clients without tasks. */
  readonly jobTools: boolean;
  /** Replaces a list of more than 30 tools by search tools. */
  readonly toolSearch: boolean;
  /** Clients of older revisions that get a session over HTTP. */
  readonly mcpSessions: SessionMode;
  /** Milliseconds until a client with a session must reconnect for its answer. */
  readonly mcpStreamTime: number;
  /** Address of the job store, checked when it is opened. */
  readonly store: string;
  /** Address at which the store receives notifications of other replicas; undefined: the address of the store. */
  readonly storeListenUrl: string | undefined;
  /** Maximum milliseconds for `onStart` of the service. */
  readonly startTimeout: number;
  /** Milliseconds that running jobs get after SIGTERM. */
  readonly shutdownGrace: number;
  /** Milliseconds without an answer of the sidecar after which a batch service gives up. */
  readonly fetchTimeout: number;
  /** Number of jobs that a batch service runs at the same time. */
  readonly concurrency: number;
  /** Folder for results that could not be delivered yet. */
  readonly spoolDir: string;
  /** Folder for artifacts and aspects when there is no platform. */
  readonly localDir: string;
  /** Version of the service, as set by the build pipeline. */
  readonly version: string | undefined;
}

/** `auto`: clients that can be asked something. */
export type SessionMode = "auto" | "always" | "never";

/** Options given in code. The command line takes precedence over these options, and these over the environment. */
export interface ConfigOverrides {
  readonly host?: string;
  readonly port?: number;
  readonly concurrency?: number;
  readonly auth?: AuthOptions;
  readonly bodyLimit?: number;
}

const logLevels: readonly string[] = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"];
const defaultPolicy = "urn:platform:policy:platform.open.service";

/**
 * Reads the configuration of a service. Throws `StartError` (bad variable) or `UsageError` (bad flag), in one line
 * each.
 */
export function readConfig(
  env: Environment,
  argv: readonly string[],
  overrides: ConfigOverrides = {},
  flavour: Flavour = "lambda",
): Config {
  const flags = parseFlags(argv, flavour);
  const text = (name: string): string | undefined => (env[name] === "" ? undefined : env[name]);
  const seconds = (name: string, fallback: number): number => readSeconds(name, text(name), fallback) * 1000;
  const isOn = (name: string, fallback: "true" | "false" = "false"): boolean =>
    /true|1/.test(oneOf(text, name, fallback, ["true", "false", "1", "0"]));
  return Object.freeze({
    flags: Object.freeze(flags),
    host: readHost(flags.host, overrides.host, text("HOST")),
    port: readPort(flags.port, overrides.port, text("PORT")),
    allowedHosts: readHosts(text("TENON_ALLOWED_HOSTS")),
    allowedOrigins: readOrigins(text("TENON_ALLOWED_ORIGINS") ?? ""),
    console: isOn("TENON_CONSOLE", "true"),
    limits: readHttpLimits(text, overrides),
    auth: readAuth(text, overrides.auth),
    rateLimit: readRate(text("TENON_RATE_LIMIT")),
    shortRequests: isOn("TENON_SHORT_REQUESTS", "true"),
    mcpSessions: oneOf(text, "TENON_MCP_SESSIONS", "auto", ["auto", "always", "never"]),
    mcpStreamTime: seconds("TENON_MCP_STREAM_TIME", 25),
    jobTools: isOn("TENON_JOB_TOOLS"),
    toolSearch: isOn("TENON_TOOL_SEARCH"),
    stateKey: readStateKey(text("TENON_STATE_KEY")),
    platformBaseUrl: readUrl("PLATFORM_BASE_URL", text("PLATFORM_BASE_URL")),
    serviceId: text("PLATFORM_SERVICE_ID"),
    serviceName: text("PLATFORM_SERVICE_NAME"),
    policyUrn: text("PLATFORM_POLICY_URN") ?? defaultPolicy,
    resourcesFile: text("PLATFORM_RESOURCES_FILE") ?? "resources.json",
    resourcesFileGiven: text("PLATFORM_RESOURCES_FILE") !== undefined,
    image: text("DOCKER_IMG"),
    entrypoint: text("ENTRYPOINT"),
    dockerfile: text("DOCKERFILE") ?? "Dockerfile",
    dockerfileGiven: text("DOCKERFILE") !== undefined,
    outbound: resolveOutboundPolicy(env),
    logLevel: oneOf(text, "PLATFORM_LOG_LEVEL", "INFO", logLevels),
    logFormat: text("PLATFORM_LOG_FORMAT"),
    store: text("TENON_STORE") ?? "memory:",
    storeListenUrl: text("TENON_STORE_LISTEN_URL"),
    startTimeout: seconds("PLATFORM_START_TIMEOUT", 60),
    shutdownGrace: seconds("PLATFORM_SHUTDOWN_GRACE", 25),
    fetchTimeout: seconds("PLATFORM_FETCH_TIMEOUT", 300),
    concurrency: readConcurrency(flags.concurrency, overrides.concurrency),
    spoolDir: text("PLATFORM_SPOOL_DIR") ?? ".tenon/spool",
    localDir: text("TENON_LOCAL_DIR") ?? ".tenon/local",
    version: text("VERSION"),
  });
}

/** Options of the server, given in the entry. */
export interface ServerOptions {
  readonly host?: string;
  /** Port to listen on; 0: any free port. */
  readonly port?: number;
  /** Status of an answer without a result; default 202. Some platforms expect 204. */
  readonly deferredStatus?: 202 | 204;
  /** Maximum size of a request body in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Requires an access token of an OAuth 2.1 authorisation server. Defaults come from `TENON_AUTH_*`. */
  readonly auth?: AuthOptions;
}
