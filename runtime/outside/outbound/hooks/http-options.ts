import type { Agent } from "node:http";

/** Options of a `node:http` request, with all arguments merged as Node merges them. */
export type HttpOptions = { readonly [name: string]: unknown };

export interface HttpArguments {
  /** A new copy, which may be changed. */
  readonly options: { [name: string]: unknown };
  readonly callback: unknown;
}

/** Merges `(url, options, callback)` in all their forms as Node does; undefined if Node throws. */
export function readHttpArguments(args: readonly unknown[]): HttpArguments | undefined {
  const [first, second, third] = args;
  const url = typeof first === "string" ? URL.parse(first) : isUrl(first) ? first : undefined;
  if (url === null) return undefined;
  const given = url === undefined ? first : second;
  const isCallback = typeof given === "function";
  const own = isCallback ? undefined : (given as object | null | undefined);
  const options: { [name: string]: unknown } = Object.assign(url === undefined ? {} : optionsOf(url), own);
  // Node would read a host from a member called `__proto__`, which we have not checked.
  if (Object.getPrototypeOf(options) !== Object.prototype) Object.setPrototypeOf(options, Object.prototype);
  return { options, callback: isCallback ? given : url === undefined ? second : third };
}

/** Like `urlToHttpOptions`, but a plain object: Node's result has no prototype and is slow to copy. */
function optionsOf(url: URL): { [name: string]: unknown } {
  // Node also copies own members that somebody has added to a URL.
  if (!(url instanceof URL) || Reflect.ownKeys(url).length > 0)
    return { ...process.getBuiltinModule("node:url").urlToHttpOptions(url) };
  const { protocol, hostname, hash, search, pathname, href, port, username, password } = url;
  const options: { [name: string]: unknown } = {
    protocol,
    hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    hash,
    search,
    pathname,
    path: pathname + search,
    href,
  };
  if (port !== "") options["port"] = Number(port);
  if (username !== "" || password !== "")
    options["auth"] = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

// Tests the members, as Node does: a URL of another realm is one too.
function isUrl(value: unknown): value is URL {
  if (typeof value !== "object" || value === null) return false;
  const { href, protocol, auth, path } = value as { [name: string]: unknown };
  return Boolean(href && protocol && auth === undefined && path === undefined);
}

/** Origin that Node will connect to, not normalised; undefined if it is not a host of a URL. */
export function httpOrigin(options: HttpOptions, fallback: "http:" | "https:"): string | undefined {
  const protocol = options["protocol"] || fallback;
  const host = options["hostname"] || options["host"] || "localhost";
  if (typeof host !== "string" || (protocol !== "http:" && protocol !== "https:")) return undefined;
  const agent = options["agent"] as { defaultPort?: unknown } | undefined;
  const port = options["port"] || options["defaultPort"] || agent?.defaultPort || (protocol === "https:" ? 443 : 80);
  const isAddress = host.includes(":") && /^\[?[0-9a-f:.]*:[0-9a-f:.]*\]?$/i.test(host);
  // Node looks the name up unchanged. A name that a URL parser would split or clean up is refused.
  if (!isAddress && /[\0-\x20/\\?#@:%[\]\x7f]/.test(host)) return undefined;
  return `${protocol}//${isAddress && !host.startsWith("[") ? `[${host}]` : host}:${Number(port)}`;
}

/** True when Node itself makes the connection to the host that the request names. */
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

// Agents of Node 24.5 and later can send requests through the proxy of the environment.
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

interface Builtin {
  readonly globalAgent: Agent;
  readonly Agent: { readonly prototype: object };
}

// Cache of built-in modules: each look-up by name takes time in Node, and in code that watches that function.
const builtins = new Map<"http:" | "https:", Builtin>();

/** The builtin module of a protocol, loaded on first use. */
export function builtin(protocol: "http:" | "https:"): Builtin {
  let found = builtins.get(protocol);
  if (found === undefined) {
    found = protocol === "https:" ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
    builtins.set(protocol, found);
  }
  return found;
}
