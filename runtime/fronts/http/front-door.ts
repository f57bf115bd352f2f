import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Caller } from "./caller.ts";
import type { Admission, Gate } from "./gate.ts";
import { ToolError } from "../../base/errors.ts";
import type { AccessRules } from "./access-rules.ts";
import { writeAnswer } from "./answer.ts";
import { checkFraming } from "./check-framing.ts";
import type { Cors } from "./cors.ts";
import { problemAnswer } from "./problem.ts";
import type { Pipeline } from "./pipelined.ts";
import type { Executor } from "../../executor/executor.ts";
import type { Delivery } from "../../clients/platform/delivery/delivery-to-log.ts";
import type { Service } from "../../service/service.ts";
import type { Config } from "../../service/config/config.ts";
import type { CallObserver } from "../../job/call-span.ts";
import type { Tool } from "../../service/tools/tool.ts";

/**
 * Answers one request. `path` is the raw path, without query. Host, Origin and the caller's token have been checked,
 * and nothing was read. `caller` is undefined if callers are not authenticated.
 */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  caller?: Caller,
) => void;

/** The routes of a service. All requests pass the same checks. */
export interface FrontDoorRoutes {
  /** Handlers by exact raw path; they answer every method. */
  readonly routes: ReadonlyMap<string, RequestHandler>;
  /** Answers everything else. */
  readonly fallback: RequestHandler;
  /** Runs before all handlers, if authorisation or a limit is configured. */
  readonly gate?: Gate | undefined;
}

/** Options of an MCP front. */
export interface McpMountOptions {
  readonly service: Service;
  /** Version of the service, resolved. */
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Prompts and resources. */
  readonly offers?: readonly Tool[] | undefined;
  readonly executor: Executor;
  readonly config: Config;
  /** Maximum bytes of a request body. */
  readonly bodyLimit: number;
  /** Receives the results of all jobs, on the platform. */
  readonly delivery?: Pick<Delivery, "report" | "reportsResults"> | undefined;
  /** Telemetry of calls, if enabled. */
  readonly calls?: CallObserver | undefined;
  /** `replace` will be called, so clients may subscribe to changes. */
  readonly mayChange?: boolean | undefined;
}
export interface McpMount {
  /** Answers `/mcp`. */
  readonly handle: RequestHandler;
  /** The endpoint, and documents about it, by path. */
  readonly routes: ReadonlyMap<string, RequestHandler>;
  /** Replaces the tools, and notifies subscribed clients; running calls end with the old tools. */
  replace(options: McpMountOptions): void;
  close(): Promise<void>;
}

/** Paths of probes, which send no credentials and often an odd Host. */
export const healthPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/_healtz"]);

/** Paths that a browser opens for a person; they call the service from there. */
const pagePaths: ReadonlySet<string> = new Set(["/", "/docs"]);

/** Paths that need no token, unless a tool stands there: a page holds nothing of the service. */
export const openPaths: ReadonlySet<string> = new Set([...healthPaths, ...pagePaths]);

/**
 * The listener in front of every route: checks Host and Origin, answers preflights of listed origins, finds the handler,
 * turns what it throws into an answer.
 *
 * @param cors Where origins are listed.
 * @param pipeline Bounds the requests behind unanswered ones of their connection, once it is loaded.
 */
export function frontDoor(
  target: () => FrontDoorRoutes,
  access: AccessRules,
  isDraining: () => boolean,
  cors?: Cors,
  pipeline: () => Pipeline | undefined = () => undefined,
): RequestListener {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      const { headers } = request;
      let { host } = headers;
      const fault = checkFraming(request);
      if (fault !== undefined) {
        writeAnswer(response, fault);
        return;
      }
      const url = request.url ?? "/";
      let path = rawPath(url);
      if (!path.startsWith("/")) {
        // The absolute form, as proxies send it: its authority is used, not the Host header.
        const absolute = URL.parse(url);
        if (absolute === null || absolute.protocol !== "http:")
          throw new ToolError("not-found", "There is no such route.");
        ({ host } = absolute);
        const start = url.indexOf("/", "http://".length);
        request.url = start < 0 ? "/" : url.slice(start);
        path = rawPath(request.url);
      }
      if (isDraining()) response.setHeader("Connection", "close");
      const { routes, fallback, gate } = target();
      const hot = routes.get(path);
      const refusal = access(host, headers.origin, hot === undefined ? kindOf(path) : undefined);
      if (refusal !== undefined) throw new ToolError("forbidden", refusal);
      if (cors !== undefined && answersCors(cors, request, response)) return;
      const handle = hot ?? fallback;
      if (gate === undefined) handle(request, response, path);
      else pass(gate, request, response, path, handle);
    } catch (thrown) {
      if (response.headersSent) response.destroy();
      else writeAnswer(response, problemAnswer(thrown));
    }
  };
  return (request, response) => {
    // Node gives a response its socket when all earlier ones of the connection have ended.
    const waits = response.socket === null ? pipeline() : undefined;
    if (waits === undefined) answer(request, response);
    else waits(request, response, () => answer(request, response));
  };
}

function pass(
  gate: Gate,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  handle: RequestHandler,
): void {
  const go = ({ answer, ...admitted }: Admission & { readonly caller?: Caller | undefined }): void => {
    if (answer === undefined) handle(request, response, path, admitted.caller);
    else writeAnswer(response, answer);
  };
  const { method = "GET", headers, socket } = request;
  const admission = gate({ method, path, authorization: headers.authorization, address: socket.remoteAddress });
  if (!(admission instanceof Promise)) {
    go(admission);
    return;
  }
  admission
    .then((found) => {
      // A handler would miss the event of a client that has disconnected already.
      if (!socket.destroyed) go(found);
    })
    .catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else writeAnswer(response, problemAnswer(thrown));
    });
}

function kindOf(path: string): "health" | "page" | undefined {
  if (healthPaths.has(path)) return "health";
  return pagePaths.has(path) ? "page" : undefined;
}

/** Tells a page of a listed origin that it may read the answer. True: that was all, since the request is a preflight. */
function answersCors(cors: Cors, { method, headers }: IncomingMessage, response: ServerResponse): boolean {
  const { headers: own, isPreflight } = cors({
    method,
    origin: headers.origin,
    askedMethod: headers["access-control-request-method"],
    askedHeaders: headers["access-control-request-headers"],
  });
  if (isPreflight) writeAnswer(response, { status: 204, headers: own, body: undefined });
  else for (let at = 0; at + 1 < own.length; at += 2) response.setHeader(own[at] ?? "", own[at + 1] ?? "");
  return isPreflight;
}

function rawPath(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
