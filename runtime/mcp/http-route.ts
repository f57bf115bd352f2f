import { ToolError, type ErrorKind } from "../errors.ts";
import { faultCodes, faultMessage, McpFault, type FaultCode, type MessageId } from "./fault.ts";
import { headerParameterMismatch } from "./header-parameters.ts";
import { checkMessageShape, isRecord, requestId } from "./message-shape.ts";
import type { McpPort } from "./port.ts";
import type { McpHttpEngine } from "./sdk-server.ts";

export interface HttpRouteOptions {
  readonly port: McpPort;
  /** Asked on the first request, so that the SDK costs nothing until somebody speaks MCP. */
  readonly engine: () => Promise<McpHttpEngine>;
  /** Reads a body with every safety check: media type, size, encoding, depth. @throws ToolError */
  readonly readJson: (request: Request) => Promise<unknown>;
  /** `Authorization` is the platform's: it becomes `jobAuthorization`. Otherwise it is the caller's and goes nowhere. */
  readonly onPlatform: boolean;
  /** Called with what went wrong on our side; for the log. */
  readonly report: (error: Error) => void;
}

/** Answers one HTTP request to the MCP endpoint. Host and Origin have been checked before. Never rejects. */
export type HttpRoute = (request: Request) => Promise<Response>;

export function createHttpRoute(options: HttpRouteOptions): HttpRoute {
  const answer = async (request: Request): Promise<Response> => {
    const engine = await options.engine();
    const authorization = options.onPlatform ? (request.headers.get("authorization") ?? undefined) : undefined;
    if (request.method !== "POST") return engine.fetch(forEngine(request), undefined, authorization);
    const body = await options.readJson(request);
    const fault = faultOf(options.port, request, body);
    if (fault !== undefined) return faultResponse(400, fault.code, fault.message, requestId(body));
    return engine.fetch(forEngine(request), body, authorization);
  };
  return async (request) => {
    try {
      return await answer(request);
    } catch (thrown) {
      const error = ToolError.from(thrown);
      if (error.kind === "system") options.report(thrown instanceof Error ? thrown : new Error(String(thrown)));
      return refusal(error);
    }
  };
}

/**
 * What the engine may see of a request: no credentials, no body (it has been read), and an `Accept` that says what
 * `*\/*` means, because the engine wants to read both types in full.
 */
function forEngine(request: Request): Request {
  const headers = new Headers(request.headers);
  for (const name of ["authorization", "cookie", "proxy-authorization"]) headers.delete(name);
  if (/\*\/\*/.test(headers.get("accept") ?? "*/*")) headers.set("accept", "application/json, text/event-stream");
  const seen = new Request(request.url, { method: request.method, headers });
  // Handing the signal to the constructor makes a second one, which is lost when the request is collected.
  return Object.defineProperty(seen, "signal", { value: request.signal });
}

function faultOf(port: McpPort, request: Request, body: unknown): McpFault | undefined {
  try {
    checkMessageShape(body);
  } catch (thrown) {
    if (thrown instanceof McpFault) return thrown;
    throw thrown;
  }
  const mismatch = headerMismatch(port, request, body);
  return mismatch === undefined ? undefined : new McpFault(faultCodes.headerMismatch, mismatch);
}

/** The SDK compares the standard headers itself, but not those that a tool's schema declares. */
function headerMismatch(port: McpPort, request: Request, body: unknown): string | undefined {
  // Older clients send neither this header nor the parameters'.
  if (!request.headers.has("mcp-method") || !isRecord(body) || body["method"] !== "tools/call") return undefined;
  const params = isRecord(body["params"]) ? body["params"] : {};
  const parameters = typeof params["name"] === "string" ? port.headerParameters(params["name"]) : [];
  return headerParameterMismatch(parameters, params["arguments"], (name) => request.headers.get(name));
}

const refusals: Partial<Record<ErrorKind, { readonly status: number; readonly code: FaultCode }>> = {
  "malformed-json": { status: 400, code: faultCodes.parseError },
  "bad-request": { status: 400, code: faultCodes.invalidRequest },
  forbidden: { status: 403, code: faultCodes.refused },
  "too-large": { status: 413, code: faultCodes.refused },
  "unsupported-media-type": { status: 415, code: faultCodes.refused },
};

/** A request that was refused before it became a message, as a JSON-RPC error without an id. */
export function refusal(error: ToolError): Response {
  const { status, code } = refusals[error.kind] ?? { status: 500, code: faultCodes.internalError };
  return faultResponse(status, code, error.message);
}

function faultResponse(status: number, code: FaultCode, message: string, id?: MessageId): Response {
  return Response.json(faultMessage(code, message, id), { status });
}
