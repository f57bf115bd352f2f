import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../http/caller.ts";
import { cardPaths } from "../../http/card-paths.ts";
import type { McpMount, McpMountOptions, RequestHandler } from "../../http/front-door.ts";
import { writeAnswer } from "../../http/answer.ts";
import { parseJsonBody } from "../../http/parse-json.ts";
import { checkJsonHeaders, readBody } from "../../http/read-body.ts";
import { answerHttp, methodNotAllowed } from "./http-route.ts";
import { refuse } from "./refuse.ts";
import { createSessionRoute } from "./session-route.ts";
import { lazyEngine } from "../sdk/lazy-engine.ts";
import { createPlainHttp, type AnswerPlainly } from "../plain/answer-http.ts";
import type { McpPort } from "../port/port.ts";
import { servicePort } from "../service-port.ts";

const mcpPath = "/mcp";

/** Parts that tests can change. */
export interface McpHttpParts {
  /** False: the full engine answers all requests. */
  readonly plain?: false;
}

/** MCP over Streamable HTTP behind the front door, for `--with-mcp`. */
export function mountMcp(options: McpMountOptions, { plain }: McpHttpParts = {}): McpMount {
  const onPlatform = options.config.platformBaseUrl !== undefined;
  const open = (next: McpMountOptions): { readonly port: McpPort; readonly answerPlainly: AnswerPlainly } => {
    const { stateKey, jobTools, toolSearch, auth } = next.config;
    const port = servicePort({ ...next, stateKey, jobTools, toolSearch, hasCallers: auth !== undefined });
    return { port, answerPlainly: plain === false ? () => false : createPlainHttp(port, onPlatform) };
  };
  let current = open(options);
  const engine = lazyEngine(() => current.port);
  const sessions = createSessionRoute(() => current.port, options.config);
  const answerFully = async (
    request: IncomingMessage,
    response: ServerResponse,
    message: unknown,
    caller: Caller | undefined,
    isOfSession: boolean = false,
  ): Promise<void> => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    if (response.closed) gone.abort();
    try {
      const head = { ...headOf(request, gone.signal), caller };
      const { port } = current;
      const answer = isOfSession
        ? await sessions.answer({ port, onPlatform }, head, message)
        : await answerHttp({ port, engine: await engine.get(), onPlatform }, head, message);
      await write(response, answer);
    } catch (thrown) {
      await write(response, refuse(thrown));
    }
  };
  const handle: RequestHandler = (request, response, _path, caller) => {
    const { method = "GET", headers } = request;
    const header = (name: string): string | undefined => headers[name] as string | undefined;
    if (method !== "POST") {
      // Outside of a session there is no stream to open or end.
      const isOfSession = (method === "GET" || method === "DELETE") && sessions.takes(header, undefined);
      if (isOfSession) void answerFully(request, response, undefined, caller, true);
      else void write(response, methodNotAllowed());
      return;
    }
    try {
      checkJsonHeaders(request.headers["content-type"], request.headers["content-encoding"]);
    } catch (thrown) {
      void write(response, refuse(thrown));
      return;
    }
    readBody(request, response, options.bodyLimit, (tooLarge, body) => {
      try {
        if (tooLarge !== undefined) throw tooLarge;
        const message = parseJsonBody(body);
        if (sessions.takes(header, message)) void answerFully(request, response, message, caller, true);
        else if (!current.answerPlainly(request, response, message, caller))
          void answerFully(request, response, message, caller);
      } catch (thrown) {
        void write(response, refuse(thrown));
      }
    });
  };
  const { cards, catalog } = cardPaths(mcpPath);
  return {
    routes: new Map([[mcpPath, handle], ...[...cards, catalog].map((path) => [path, documentOf(options)] as const)]),
    handle,
    replace(next) {
      current = open(next);
      void engine.announce();
      void sessions.announce();
    },
    close: async () => void (await Promise.all([engine.close(), sessions.close()])),
  };
}

/** Few clients ask for it, so its code is loaded then. */
function documentOf({ service, version, config: { auth } }: McpMountOptions): RequestHandler {
  const options = { service, version, resource: auth?.resource, mcpPath };
  return ({ method, headers }, response, path) => {
    const request = {
      method,
      path,
      host: headers.host,
      protocol: String(headers["x-forwarded-proto"] ?? ""),
      ifNoneMatch: headers["if-none-match"],
    };
    void import("./server-card.ts").then(({ answerCard }) => writeAnswer(response, answerCard(options, request)));
  };
}

async function write(response: ServerResponse, answer: Response): Promise<void> {
  if (response.destroyed) {
    await answer.body?.cancel().catch(() => {});
    return;
  }
  writeAnswer(response, {
    status: answer.status,
    headers: [...answer.headers].flat(),
    body: answer.body ?? undefined,
  });
  // A stream may be silent for long, so its head is sent at once.
  if (answer.body !== null) response.flushHeaders();
}

function headOf(
  request: IncomingMessage,
  signal: AbortSignal,
): { method: string; headers: Headers; signal: AbortSignal } {
  const headers = new Headers();
  const { rawHeaders } = request;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return { method: request.method ?? "GET", headers, signal };
}
