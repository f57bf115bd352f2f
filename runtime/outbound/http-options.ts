import type { Agent } from "node:http";

/** Options of a `node:http` request as Node sees them, its arguments merged. */
export type HttpOptions = { readonly [name: string]: unknown };

export interface HttpArguments {
  readonly options: HttpOptions;
  readonly callback: unknown;
}

/** Merges `(url, options, callback)` in all their forms as Node does; undefined where Node throws. */
export function readHttpArguments(args: readonly unknown[]): HttpArguments | undefined {
  const [first, ...rest] = args;
  const url = typeof first === "string" ? URL.parse(first) : isUrl(first) ? first : undefined;
  if (url === null) return undefined;
  const [options, callback] = url === undefined ? args : rest;
  const fromUrl = url === undefined ? {} : process.getBuiltinModule("node:url").urlToHttpOptions(url);
  if (typeof options === "function") return { options: { ...fromUrl }, callback: options };
  return { options: { ...fromUrl, ...(options as object | null | undefined) }, callback };
}

// By its members, as Node does: a URL of another realm is one too.
function isUrl(value: unknown): value is URL {
  if (typeof value !== "object" || value === null) return false;
  const { href, protocol, auth, path } = value as { [name: string]: unknown };
  return Boolean(href && protocol && auth === undefined && path === undefined);
}

/** Origin that Node will connect to, not normalised; undefined where that is no host of a URL. */
export function httpOrigin(options: HttpOptions, fallback: "http:" | "https:"): string | undefined {
  const protocol = options["protocol"] || fallback;
  const host = options["hostname"] || options["host"] || "localhost";
  if (typeof host !== "string" || (protocol !== "http:" && protocol !== "https:")) return undefined;
  const agent = options["agent"] as { defaultPort?: unknown } | undefined;
  const port = options["port"] || options["defaultPort"] || agent?.defaultPort || (protocol === "https:" ? 443 : 80);
  const isAddress = /^\[?[0-9a-f:.]*:[0-9a-f:.]*\]?$/i.test(host);
  // A name is looked up as it stands: what only a URL parser would take apart or clean up is no host here.
  if (!isAddress && /[\0-\x20/\\?#@:%[\]\x7f]/.test(host)) return undefined;
  return `${protocol}//${isAddress && !host.startsWith("[") ? `[${host}]` : host}:${Number(port)}`;
}

/** Whether the request goes to the host that it names, over a connection that Node makes. */
export function isPlainRoute(options: HttpOptions, protocol: "http:" | "https:", origin: string): boolean {
  if (options["socketPath"] || options["createConnection"]) return false;
  const { agent } = options;
  if (agent === false) return true;
  return isPlainAgent(typeof agent === "object" && agent !== null ? agent : builtin(protocol).globalAgent, origin);
}

function isPlainAgent(agent: object, origin: string): boolean {
  const { addRequest, createConnection, protocol } = agent as { [name: string]: unknown };
  const own = builtin("http:").Agent.prototype as unknown as { [name: string]: unknown };
  const connects = builtin(protocol === "https:" ? "https:" : "http:").Agent.prototype;
  if (addRequest !== own["addRequest"]) return false;
  if (createConnection !== (connects as unknown as { [name: string]: unknown })["createConnection"]) return false;
  return !usesProxy(agent, origin);
}

// Node 24.5 and later have agents which send requests through the proxy that the environment names.
const proxyConfigs = new WeakMap<object, unknown>();

function proxyConfigOf(agent: object): unknown {
  if (!proxyConfigs.has(agent)) {
    const key = Object.getOwnPropertySymbols(agent).find(({ description }) => description === "kProxyConfig");
    proxyConfigs.set(agent, key === undefined ? undefined : (agent as { [name: symbol]: unknown })[key]);
  }
  return proxyConfigs.get(agent);
}

function usesProxy(agent: object, origin: string): boolean {
  const config = proxyConfigOf(agent);
  if (config === undefined || config === null) return false;
  const { shouldUseProxy } = config as { shouldUseProxy?: unknown };
  if (typeof shouldUseProxy !== "function") return true;
  const { hostname, port, protocol } = new URL(origin);
  const portNumber = Number(port) || (protocol === "https:" ? 443 : 80);
  return shouldUseProxy.call(config, hostname.replace(/^\[(.*)\]$/, "$1"), portNumber) !== false;
}

/** The builtin module of a protocol, which is loaded only where it is used. */
export function builtin(protocol: "http:" | "https:"): {
  readonly globalAgent: Agent;
  readonly Agent: { readonly prototype: object };
} {
  return protocol === "https:" ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
}
