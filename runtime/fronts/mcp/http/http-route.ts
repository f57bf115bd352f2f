import { jsonAnswer } from "../../http/answer.ts";
import type { Answer } from "../../http/answer.ts";
import type { Caller } from "../../http/identity.ts";
import type { Exchange } from "../../http/exchange.ts";
import { ToolError } from "../../../base/errors.ts";
import { problemKinds } from "../../../base/problem-kinds.ts";
import { refusalHeaders } from "../../http/problem.ts";
import { faultCodes, faultMessage, McpFault, refusalCode, type FaultCode, type MessageId } from "../port/fault.ts";
import { headerParameterMismatch } from "../port/header-parameters.ts";
import { checkMessageShape, isRecord, requestId } from "../port/message-shape.ts";
import type { McpPort } from "../port/port.ts";
import { reportEngineError } from "../port/report-engine-error.ts";
import { requireScopes } from "../lists/require-scopes.ts";
import type { McpHttpEngine } from "../sdk/sdk-server.ts";

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
 * The answer of the full engine to one HTTP request. Host and Origin, media type, size and JSON have been checked before.
 *
 * @param body The parsed JSON of a POST; undefined for any other method.
 */
export async function answerFully(
  { port, engine, onPlatform }: HttpRouteOptions,
  exchange: Exchange,
  caller: Caller | undefined,
  body: unknown,
): Promise<Answer> {
  const isPost = exchange.method === "POST";
  if (caller !== undefined && isPost) requireScopes(port, caller, body);
  const fault = isPost ? faultOf(port, exchange, body) : undefined;
  if (fault !== undefined) return faultAnswer(400, fault.code, fault.message, requestId(body));
  const authorization = onPlatform ? exchange.header("authorization") : undefined;
  return fromResponse(await engine.fetch(forEngine(exchange), body, { authorization, caller }));
}

/** The answer that a web `Response` stands for. */
function fromResponse({ status, headers, body }: Response): Answer {
  // Bun adds the charset in `Response.json`; JSON has no such parameter.
  const plain = [...headers].flatMap(([name, value]) => [name, value === jsonOfBun ? "application/json" : value]);
  return { status, headers: plain, body: body ?? undefined };
}

const jsonOfBun = "application/json;charset=utf-8";

/** Headers that the engine reads. It never sees credentials. */
const ofEngine: readonly string[] = [
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
  "last-event-id",
  "traceparent",
  "tracestate",
  "baggage",
];

/** The request for the engine, without body: it has been read. */
function forEngine(exchange: Exchange): Request {
  const headers = new Headers();
  for (const name of ofEngine) {
    const value = exchange.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const accept = exchange.header("accept") ?? "*/*";
  // The engine expects both types in full.
  headers.set("accept", accept.includes("*/*") ? "application/json, text/event-stream" : accept);
  if (exchange.method === "POST") headers.set("content-type", "application/json");
  const gone = new AbortController();
  exchange.onGone(() => gone.abort());
  const seen = new Request("http://localhost/mcp", { method: exchange.method, headers });
  // Passing the signal to the constructor makes a second one, which is lost when the request is collected.
  return Object.defineProperty(seen, "signal", { value: gone.signal });
}

function faultOf(port: McpPort, exchange: Exchange, body: unknown): McpFault | undefined {
  try {
    checkMessageShape(body);
  } catch (thrown) {
    if (thrown instanceof McpFault) return thrown;
    throw thrown;
  }
  const mismatch = headerMismatch(port, exchange, body);
  return mismatch === undefined ? undefined : new McpFault(faultCodes.headerMismatch, mismatch);
}

/** The SDK compares the standard headers itself, but not those of a tool's schema. */
function headerMismatch(port: McpPort, exchange: Exchange, body: unknown): string | undefined {
  // Older clients send neither this header nor the parameters'.
  if (exchange.header("mcp-method") === undefined || !isRecord(body) || body["method"] !== "tools/call")
    return undefined;
  const params = isRecord(body["params"]) ? body["params"] : {};
  const parameters = typeof params["name"] === "string" ? (port.headerParameters?.(params["name"]) ?? []) : [];
  return headerParameterMismatch(parameters, params["arguments"], (name) => exchange.header(name.toLowerCase()));
}

/**
 * The answer to a request that was refused before it became a message, as a JSON-RPC error without an id. An internal
 * error is logged.
 */
export function refuse(thrown: unknown): Answer {
  const error = ToolError.from(thrown);
  if (error.kind === "system") reportEngineError(thrown);
  return faultAnswer(problemKinds[error.kind].status, refusalCode(error), error.message, null, refusalHeaders(error));
}

/** The answer for every method but `POST`. */
export function methodNotAllowed(): Answer {
  return faultAnswer(405, faultCodes.refused, "Method not allowed.", null, ["Allow", "POST"]);
}

/** A JSON-RPC error with the status of a refused request. */
export function faultAnswer(
  status: number,
  code: FaultCode,
  message: string,
  id: MessageId = null,
  headers: readonly string[] = [],
): Answer {
  return jsonAnswer(faultMessage(code, message, id), status, headers);
}
