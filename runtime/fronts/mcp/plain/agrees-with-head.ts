import type { Exchange } from "../../http/exchange.ts";
import type { McpPort } from "../port/port.ts";
import { headerParameterMismatch } from "../port/header-parameters.ts";
import { legacyRevisions, modernRevision } from "./read-request.ts";
import type { PlainRequest } from "./read-request.ts";

/** The headers of a request. */
export type RequestHead = Pick<Exchange, "header">;

/**
 * True when the headers of a request match its body literally, without encoding or white space. Otherwise the full
 * engine compares them.
 */
export function agreesWithHead(request: PlainRequest, head: RequestHead, port: McpPort): boolean {
  if (!acceptsBoth(head.header("accept"))) return false;
  const revision = head.header("mcp-protocol-version");
  const method = head.header("mcp-method");
  if (request.era === "legacy")
    return method === undefined && (revision === undefined || legacyRevisions.includes(revision));
  if (revision !== modernRevision || method !== request.method) return false;
  if (request.method !== "tools/call") return true;
  if (head.header("mcp-name") !== request.name) return false;
  const parameters = port.headerParameters(request.name);
  return (
    parameters.length === 0 ||
    headerParameterMismatch(parameters, request.args, (name) => head.header(name.toLowerCase())) === undefined
  );
}

/** True for a client that accepts both JSON and events, as the protocol requires, or anything. */
export function acceptsBoth(accept: string | undefined): boolean {
  // The most frequent value.
  if (accept === "application/json, text/event-stream") return true;
  if (accept === undefined || accept.includes("*/*")) return true;
  return accept.includes("application/json") && accept.includes("text/event-stream");
}
