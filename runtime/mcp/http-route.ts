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
}

/** Answers one HTTP request to the MCP endpoint. Host and Origin have been checked before. Never rejects. */
export type HttpRoute = (request: Request) => Promise<Response>;

export function createHttpRoute(options: HttpRouteOptions): HttpRoute {
  const answer = async (request: Request): Promise<Response> => {
    const engine = await options.engine();
    const authorization = options.onPlatform ? (request.headers.get("authorization") ?? undefined) : undefined;
    if (request.method !== "POST") return engine.fetch(request, undefined, authorization);
    const body = await options.readJson(request);
    checkMessageShape(body);
    const mismatch = headerMismatch(options.port, request, body);
    if (mismatch !== undefined) return faultResponse(400, faultCodes.headerMismatch, mismatch, requestId(body));
    return engine.fetch(request, body, authorization);
  };
  return async (request) => {
    try {
      return await answer(request);
    } catch (thrown) {
      if (thrown instanceof McpFault) return faultResponse(400, thrown.code, thrown.message);
      return refusal(ToolError.from(thrown));
    }
  };
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
