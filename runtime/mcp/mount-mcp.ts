import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../auth/caller.ts";
import { ToolError } from "../errors.ts";
import type { McpMount, McpMountOptions } from "../front-door.ts";
import { writeAnswer } from "../http/answer.ts";
import { parseJsonBody } from "../http/parse-json.ts";
import { checkJsonHeaders, readBody } from "../http/read-body.ts";
import { answerHttp, refusal, type HttpRouteOptions } from "./http-route.ts";
import { lazyEngine } from "./lazy-engine.ts";
import { reportEngineError } from "./report-engine-error.ts";
import { servicePort } from "./service-port.ts";

/** MCP over Streamable HTTP behind the front door, for `--with-mcp`. */
export function mountMcp(options: McpMountOptions): McpMount {
  const { stateKey, jobTools, auth } = options.config;
  const port = servicePort({ ...options, stateKey, jobTools, hasCallers: auth !== undefined });
  const onPlatform = options.config.platformBaseUrl !== undefined;
  const engine = lazyEngine(port);
  const answer = async (request: IncomingMessage, response: ServerResponse, caller?: Caller): Promise<void> => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    let result: Response;
    try {
      const body = request.method === "POST" ? await readJson(request, response, options.bodyLimit) : undefined;
      const route: HttpRouteOptions = { port, engine: await engine.get(), onPlatform };
      result = await answerHttp(route, { ...headOf(request, gone.signal), caller }, body);
    } catch (thrown) {
      const error = ToolError.from(thrown);
      if (error.kind === "system") reportEngineError(thrown);
      result = refusal(error);
    }
    if (response.destroyed) {
      await result.body?.cancel().catch(() => {});
      return;
    }
    writeAnswer(response, {
      status: result.status,
      headers: [...result.headers].flat(),
      body: result.body ?? undefined,
    });
    // A stream may stay silent for long; its client should know that it is there.
    if (result.body !== null) response.flushHeaders();
  };
  return {
    handle: (request, response, _path, caller) => void answer(request, response, caller),
    close: () => engine.close(),
  };
}

function readJson(request: IncomingMessage, response: ServerResponse, limit: number): Promise<unknown> {
  checkJsonHeaders(request.headers["content-type"], request.headers["content-encoding"]);
  return new Promise((resolve, reject) => {
    readBody(request, response, limit, (error, body) => {
      if (error !== undefined) reject(error);
      else resolve(body);
    });
  }).then((body) => parseJsonBody(body as Buffer));
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
