import { jsonAnswer, type Answer } from "../../http/answer.ts";
import type { Exchange } from "../../http/exchange.ts";
import { logFailure } from "../../http/failure-answer.ts";
import { heldByStream } from "../../http/held-by-stream.ts";
import { ToolError } from "../../../base/errors.ts";
import { problemKinds } from "../../../base/problem-kinds.ts";
import { refusalHeaders } from "../../http/problem.ts";
import { faultCodes, faultMessage, refusalCode, type FaultCode, type MessageId } from "../port/fault.ts";
import type { McpSender } from "../port/port.ts";
import type { McpHttpEngine } from "../sdk/sdk-server.ts";

/**
 * Answers one HTTP request through the MCP SDK; the request has been checked.
 *
 * @param body The parsed JSON of a POST; undefined for any other method.
 */
export async function answerFully(
  engine: Pick<McpHttpEngine, "fetch">,
  exchange: Exchange,
  sender: McpSender,
  body: unknown,
): Promise<Answer> {
  const response = await engine.fetch(forEngine(exchange), body, sender);
  const answer = fromResponse(response);
  if (response.body === null || response.headers.get("content-type") !== "text/event-stream") return answer;
  const { readAhead } = await import("./read-ahead.ts");
  return { ...answer, body: readAhead(response.body, heldByStream(exchange.call)) };
}

/** Converts a web `Response` to an answer. */
function fromResponse({ status, headers, body }: Response): Answer {
  // Removes the charset that Bun adds in `Response.json`, since the media type of JSON has no such parameter.
  const plain = [...headers].flatMap(([name, value]) => [name, value === jsonOfBun ? "application/json" : value]);
  return { status, headers: plain, body: body ?? undefined };
}

const jsonOfBun = "application/json;charset=utf-8";

/** Headers that the MCP SDK reads. Credentials are not among them, so the SDK does not get any. */
const ofEngine: readonly string[] = [
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
  "last-event-id",
];

/** Makes the request for the MCP SDK, without the body, which has already been read. */
function forEngine(exchange: Exchange): Request {
  const headers = new Headers();
  for (const name of ofEngine) {
    const value = exchange.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const accept = exchange.header("accept") ?? "*/*";
  // Both types are added to the `accept` header, since the MCP SDK requires them.
  headers.set("accept", accept.includes("*/*") ? "application/json, text/event-stream" : accept);
  if (exchange.method === "POST") headers.set("content-type", "application/json");
  const gone = new AbortController();
  exchange.onGone(() => gone.abort());
  const seen = new Request("http://localhost/mcp", { method: exchange.method, headers });
  // The signal is set as a property: the constructor would make a second signal, which is lost when the request is
  // garbage-collected.
  return Object.defineProperty(seen, "signal", { value: gone.signal });
}

/**
 * Makes the answer to a request that was refused: a JSON-RPC error, without an id for a request that did not become a
 * message. An internal error is logged.
 */
export function refuse(thrown: unknown, id: MessageId = null): Answer {
  const error = ToolError.from(thrown);
  logFailure(thrown);
  return faultAnswer(problemKinds[error.kind].status, refusalCode(error), error.message, id, refusalHeaders(error));
}

/** Makes the answer for every method but `POST`. */
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
