import type { Caller } from "../../http/caller.ts";
import { problemKinds } from "../../../base/problem-kinds.ts";
import { refusalHeaders } from "../../http/problem.ts";
import type { ToolError } from "../../../base/errors.ts";
import { faultCodes, faultMessage, McpFault, refusalCode, type FaultCode, type MessageId } from "../port/fault.ts";
import { headerParameterMismatch } from "../port/header-parameters.ts";
import { checkMessageShape, isRecord, requestId } from "../port/message-shape.ts";
import type { McpPort } from "../port/port.ts";
import { requireScopes } from "../lists/require-scopes.ts";
import type { McpHttpEngine } from "../sdk/sdk-server.ts";

/** The head of an HTTP request whose body has been read. */
export interface RequestHead {
  readonly method: string;
  readonly headers: Headers;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** The caller, if callers are authenticated. */
  readonly caller?: Caller | undefined;
}

export interface HttpRouteOptions {
  readonly port: McpPort;
  readonly engine: Pick<McpHttpEngine, "fetch">;
  /**
   * `Authorization` comes from the platform and becomes `jobAuthorization`. Otherwise it is the caller's and is never
   * passed on.
   */
  readonly onPlatform: boolean;
}

/**
 * Answers one HTTP request to the MCP endpoint. Host and Origin, media type, size and JSON have been checked before.
 *
 * @param body The parsed JSON of a POST; undefined for any other method.
 */
export function answerHttp(options: HttpRouteOptions, head: RequestHead, body: unknown): Promise<Response> {
  const authorization = options.onPlatform ? (head.headers.get("authorization") ?? undefined) : undefined;
  if (head.caller !== undefined && head.method === "POST") requireScopes(options.port, head.caller, body);
  const fault = head.method === "POST" ? faultOf(options.port, head, body) : undefined;
  if (fault !== undefined) return Promise.resolve(faultResponse(400, fault.code, fault.message, requestId(body)));
  return options.engine.fetch(forEngine(head), body, { authorization, caller: head.caller });
}

/**
 * The request for the engine: no credentials, no body (it has been read), and an `Accept` that spells out `*\/*`,
 * because the engine expects both types in full.
 */
function forEngine(head: RequestHead): Request {
  const headers = new Headers(head.headers);
  for (const name of ["authorization", "cookie", "proxy-authorization"]) headers.delete(name);
  if ((headers.get("accept") ?? "*/*").includes("*/*")) headers.set("accept", "application/json, text/event-stream");
  if (head.method === "POST") headers.set("content-type", "application/json");
  const seen = new Request("http://localhost/mcp", { method: head.method, headers });
  // Passing the signal to the constructor makes a second one, which is lost when the request is collected.
  return Object.defineProperty(seen, "signal", { value: head.signal });
}

function faultOf(port: McpPort, head: RequestHead, body: unknown): McpFault | undefined {
  try {
    checkMessageShape(body);
  } catch (thrown) {
    if (thrown instanceof McpFault) return thrown;
    throw thrown;
  }
  const mismatch = headerMismatch(port, head, body);
  return mismatch === undefined ? undefined : new McpFault(faultCodes.headerMismatch, mismatch);
}

/** The SDK compares the standard headers itself, but not those of a tool's schema. */
function headerMismatch(port: McpPort, head: RequestHead, body: unknown): string | undefined {
  // Older clients send neither this header nor the parameters'.
  if (!head.headers.has("mcp-method") || !isRecord(body) || body["method"] !== "tools/call") return undefined;
  const params = isRecord(body["params"]) ? body["params"] : {};
  const parameters = typeof params["name"] === "string" ? port.headerParameters(params["name"]) : [];
  return headerParameterMismatch(parameters, params["arguments"], (name) => head.headers.get(name));
}

/** A request that was refused before it became a message, as a JSON-RPC error without an id. */
export function refusal(error: ToolError): Response {
  const response = faultResponse(problemKinds[error.kind].status, refusalCode(error), error.message);
  const headers = refusalHeaders(error);
  for (let at = 0; at + 1 < headers.length; at += 2) response.headers.set(headers[at] ?? "", headers[at + 1] ?? "");
  return response;
}

/** The answer for every method but `POST`. */
export function methodNotAllowed(): Response {
  const response = faultResponse(405, faultCodes.refused, "Method not allowed.");
  response.headers.set("Allow", "POST");
  return response;
}

/** A JSON-RPC error with the status of a refused request. */
export function faultResponse(status: number, code: FaultCode, message: string, id?: MessageId): Response {
  return Response.json(faultMessage(code, message, id), { status });
}
