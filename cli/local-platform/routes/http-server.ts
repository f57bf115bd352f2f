import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ToolError } from "../../../runtime/base/errors.ts";
import { answerBadRequest } from "../../../runtime/fronts/http/node/answer-bad-request.ts";
import { createAccessRules } from "../../../runtime/fronts/http/middleware/access-rules.ts";
import { writeAnswer } from "../../../runtime/fronts/http/node/node-exchange.ts";
import { checkFraming } from "../../../runtime/fronts/http/node/check-framing.ts";
import { problemAnswer } from "../../../runtime/fronts/http/problem.ts";
import { shortRequests, type ShortRequest } from "../../../runtime/fronts/http/short-request.ts";
import { Exchange } from "./exchange.ts";
import { readPath } from "./request-path.ts";
import { isRouteName } from "./routes.ts";

/** Milliseconds that pending answers get when the server closes. */
const closePatience = 1000;
const healthPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/_healtz"]);

export interface ListenOptions {
  readonly host: string;
  /** Port to listen on; 0: any free port. */
  readonly port: number;
  /** Names in `Host` that are allowed in addition to addresses and `localhost`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Gets lines for the operator of the platform. */
  readonly warn?: ((line: string) => void) | undefined;
}

export interface RunningHttp {
  readonly url: string;
  /** Accepts no more connections, and waits briefly for pending answers. */
  close(): Promise<void>;
}

/** The listener in front of all routes. It checks Host and Origin before it reads anything. */
export async function startHttp(options: ListenOptions, handle: (exchange: Exchange) => void): Promise<RunningHttp> {
  const access = createAccessRules({
    allowedHosts: options.allowedHosts,
    allowedOrigins: undefined,
    warn: options.warn,
  });
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // Leaves out the header `Date`: it costs time, and the answers of this server are not cached.
    response.sendDate = false;
    try {
      const fault = checkFraming(request);
      if (fault !== undefined) return writeAnswer(response, fault);
      // Skips Node's draining of an unread body: a request that polls for a job has no body.
      if (request.method === "GET") (request as Partial<ShortRequest>).collect?.(ignore);
      const url = request.url ?? "/";
      const refusal = access(request.headers.host, request.headers.origin, kindOf(url));
      if (refusal !== undefined) throw new ToolError("forbidden", refusal);
      if (!url.startsWith("/")) throw new ToolError("not-found", "There is no such route.");
      handle(new Exchange(request, response, readPath(url, isRouteName)));
    } catch (thrown) {
      writeAnswer(response, problemAnswer(thrown));
    }
  };
  const server = createServer(
    // Uploads may have any size, so a request has no time limit.
    {
      IncomingMessage: shortRequests(IncomingMessage),
      headersTimeout: 10_000,
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5000,
    },
    listener,
  );
  server.on("checkContinue", listener);
  server.on("clientError", answerBadRequest);
  await listen(server, options);
  return { url: urlOf(server, options.host), close: () => closeServer(server) };
}

function ignore(): void {}

/** Listens; rejects with an error whose text is for the operator. */
export async function listen(server: Server, { host, port }: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new ListenError(explainListen(error, host, port)));
    });
    server.listen({ host: host.replace(/^\[(.*)\]$/, "$1"), port }, resolve);
  });
}

function explainListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return `${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of its addresses.`;
  }
  const reason = code === "EADDRINUSE" ? "is in use" : `cannot be used (${code ?? message})`;
  return `Port ${port} on ${host} ${reason}. Choose another one, or 0 for any that is free.`;
}

/** The port or the address cannot be used. The message is for the operator. */
export class ListenError extends Error {
  override readonly name: string = "ListenError";
}

/** The URL of a listener. */
export function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") && !name.startsWith("[") ? `[${name}]` : name}:${port}`;
}

/** Closes a server: no new connections, and a short wait for pending answers. */
export async function closeServer(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), closePatience);
  // A connection becomes idle only a moment after its last answer, so idle connections are closed repeatedly.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(sweep);
  clearTimeout(timer);
}

/** Classifies URLs. The console page gets a stricter check of `Host`, as protection against DNS rebinding. */
function kindOf(url: string): "health" | "page" | undefined {
  return healthPaths.has(url) ? "health" : url === "/" ? "page" : undefined;
}
