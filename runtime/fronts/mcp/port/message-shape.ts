import { isObject } from "../../../contract/validation/json-value.ts";
import { faultCodes, McpFault, type MessageId } from "./fault.ts";

/** Maximum number of messages in a JSON-RPC batch; only clients of revision 2025-03-26 send batches. */
const maxBatch = 100;
/** Maximum length of a message's id. */
const longestId = 256;

/**
 * Checks that parsed JSON is a JSON-RPC 2.0 message or a batch of messages, so that other JSON gets the right error.
 *
 * @throws McpFault `invalidRequest`; `invalidParams` for a tool call without a name, or with arguments that are not an
 *   object
 */
export function checkMessageShape(body: unknown): void {
  if (!Array.isArray(body)) return checkOne(body);
  if (body.length === 0) throw new McpFault(faultCodes.invalidRequest, "Invalid request: the batch is empty.");
  if (body.length > maxBatch) {
    throw new McpFault(faultCodes.invalidRequest, `Invalid request: a batch has at most ${maxBatch} messages.`);
  }
  const ids = new Set<unknown>();
  for (const message of body) {
    checkOne(message);
    if (!isObject(message) || !("method" in message) || !("id" in message)) continue;
    // Two messages of a batch must not have the same id: their answers could not be distinguished.
    if (ids.has(message["id"])) throw invalid("two messages of the batch have the same `id`");
    ids.add(message["id"]);
  }
}

function checkOne(message: unknown): void {
  if (!isObject(message)) throw invalid("a message is an object");
  if (message["jsonrpc"] !== "2.0") throw invalid('`jsonrpc` must be "2.0"');
  if ("method" in message) {
    if (typeof message["method"] !== "string") throw invalid("`method` must be a string");
    if ("id" in message && !isId(message["id"]))
      throw invalid(`\`id\` must be a string of at most ${longestId} letters or an integer`);
    const params = message["params"];
    if (params !== undefined && !isObject(params)) throw invalid("`params` must be an object");
    if (params !== undefined && "_meta" in params) checkMeta(message["method"], params["_meta"]);
    if (message["method"] === "tools/call") checkCall(params ?? {});
    return;
  }
  if (!("result" in message || "error" in message)) throw invalid("`method` is missing");
}

function checkMeta(method: string, meta: unknown): void {
  if (!isObject(meta)) throw invalidParams("`_meta` must be an object", method);
  const { progressToken } = meta;
  if (progressToken !== undefined && !isId(progressToken))
    throw invalidParams("`_meta.progressToken` must be a string or an integer", method);
}

function checkCall(params: Readonly<Record<string, unknown>>): void {
  if (typeof params["name"] !== "string") throw invalidParams("`name` must be a string");
  if (params["arguments"] !== undefined && !isObject(params["arguments"]))
    throw invalidParams("`arguments` must be an object");
}

function invalidParams(reason: string, method = "tools/call"): McpFault {
  return new McpFault(faultCodes.invalidParams, `Invalid parameters of ${method.slice(0, 100)}: ${reason}.`);
}

function invalid(reason: string): McpFault {
  return new McpFault(faultCodes.invalidRequest, `Invalid request: ${reason}.`);
}

/** Returns the id for the answer to a single request; null for anything else. */
export function requestId(body: unknown): MessageId {
  return isObject(body) && typeof body["method"] === "string" && isId(body["id"]) ? body["id"] : null;
}

/** True for the id of a message: a string that is not too long, since each answer repeats it, or an integer. */
export function isId(value: unknown): value is string | number {
  return typeof value === "string" ? value.length <= longestId : Number.isSafeInteger(value);
}
