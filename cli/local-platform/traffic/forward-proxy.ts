import {
  createServer,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { answerBadRequest } from "../../../runtime/fronts/http/node/answer-bad-request.ts";
import { createAccessRules } from "../../../runtime/fronts/http/middleware/access-rules.ts";
import { isLoopback } from "../../../runtime/base/loopback.ts";
import { closeServer, listen, urlOf, type ListenOptions, type RunningHttp } from "../routes/http-server.ts";
import { anyToken } from "../jobs/job-token.ts";

/** Maximum bytes of all request headers, the URL included; the limit of Node and of most proxies. */
const maxHeaderBytes = 16 * 1024;
/** Milliseconds without data from the destination after which a request is aborted. */
const silence = 120_000;
const viaName = "tenon-platform";

/** Headers that are not forwarded: those of this hop, of the platform, and those that Node writes itself. */
// oxfmt-ignore
const ownHeaders: ReadonlySet<string> = new Set([
  "platform-forward-url", "platform-job-id", "job-attempt", "job-lease", "host", "connection", "keep-alive",
  "proxy-authorization", "proxy-authenticate", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
]);

/**
 * Starts a proxy that fetches the URL in the header `Platform-Forward-Url`, like the platform's own proxy. Method, body
 * and other headers are forwarded, and the answer is returned unchanged, redirects included. For development: there are
 * no access rules.
 */
export async function startForwardProxy(options: ListenOptions): Promise<RunningHttp> {
  const access = createAccessRules({ allowedHosts: options.allowedHosts, allowedOrigins: undefined });
  const server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 0 }, (incoming, response) => {
    const refusal = access(incoming.headers.host, incoming.headers.origin);
    if (refusal === undefined) forward(incoming, response, isOwn);
    else refuse(response, 403, refusal);
  });
  // Node answers 431 when headers are too long; this handler adds the reason.
  server.on("clientError", answerBadRequest);
  await listen(server, options);
  const url = urlOf(server, options.host);
  const own = new URL(url);
  const isOwn = (to: URL): boolean => to.port === own.port && (isLoopback(to.hostname) || to.hostname === own.hostname);
  return { url, close: () => closeServer(server) };
}

function forward(incoming: IncomingMessage, response: ServerResponse, isOwn: (to: URL) => boolean): void {
  const target = incoming.headers["platform-forward-url"];
  if (target === undefined) return refuse(response, 400, "Platform-Forward-Url header is required");
  const to = typeof target === "string" ? URL.parse(target) : null;
  if (
    to === null ||
    (to.protocol !== "http:" && to.protocol !== "https:") ||
    to.username !== "" ||
    to.password !== ""
  ) {
    return refuse(
      response,
      400,
      "Platform-Forward-Url must be one absolute http or https URL without user information",
    );
  }
  const via = incoming.headers.via ?? "";
  if (isOwn(to) || via.includes(viaName)) {
    return refuse(response, 508, "The request would come back to this proxy: Platform-Forward-Url leads to itself");
  }
  const headers = [
    ...goOn(incoming.rawHeaders),
    "Host",
    to.host,
    "Via",
    `${via === "" ? "" : `${via}, `}1.1 ${viaName}`,
  ];
  const send = to.protocol === "https:" ? httpsRequest : httpRequest;
  let outgoing: ClientRequest;
  try {
    // The raw path is forwarded, without parsing and formatting it.
    outgoing = send(to, { method: incoming.method, path: pathOf(String(target)), headers, timeout: silence });
  } catch (error) {
    return refuse(response, 400, `The request cannot be forwarded: ${(error as Error).message}`);
  }
  outgoing.on("timeout", () => outgoing.destroy(new Error("it is silent")));
  outgoing.on("error", (error: NodeJS.ErrnoException) => {
    if (response.headersSent) response.destroy();
    else refuse(response, error.code === undefined ? 504 : 502, `${to.origin} cannot be reached: ${error.message}`);
  });
  outgoing.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, goOn(answer.rawHeaders));
    answer.on("error", () => response.destroy());
    answer.pipe(response);
  });
  response.on("close", () => outgoing.destroy());
  incoming.on("error", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** Selects the headers that are forwarded: names and values alternate. A job's token never leaves the platform. */
function goOn(raw: readonly string[]): string[] {
  const named = new Set<string>();
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== "connection") continue;
    for (const name of (raw[at + 1] ?? "").split(",")) named.add(name.trim().toLowerCase());
  }
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    const lower = name.toLowerCase();
    if (ownHeaders.has(lower) || named.has(lower) || lower === "via") continue;
    if (lower === "authorization" && value.search(anyToken) >= 0) continue;
    kept.push(name, value);
  }
  return kept;
}

function pathOf(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  return path.startsWith("/") ? path : `/${path}`;
}

function refuse(response: ServerResponse, status: number, error: string): void {
  const body = JSON.stringify({ error });
  response.writeHead(status, ["Content-Type", "application/json", "Content-Length", String(Buffer.byteLength(body))]);
  response.end(body);
}
