import { McpFault, type MessageId } from "../port/fault.ts";
import type { McpCallEnd, McpToolResult } from "../port/answers.ts";
import type { McpServerInfo } from "../port/descriptors.ts";
import { isToolResult } from "../port/answers.ts";
import type { PlainRequest } from "./read-request.ts";

// A message is assembled as text: a head with the id, and a tail, which may be cached.

/** The start of an answer. */
export function answerHead(id: Exclude<MessageId, null>): string {
  return `{"jsonrpc":"2.0","id":${typeof id === "number" ? id : JSON.stringify(id)}`;
}

/** The rest of an answer, with a result. */
export function resultTail(json: string): string {
  return `,"result":${json}}`;
}

/** The rest of an answer, with an error. */
export function errorTail(error: { readonly code: number; readonly message: string; readonly data?: unknown }): string {
  return `,"error":${JSON.stringify(error)}}`;
}

/** Formats the results of calls for the revision of a request. */
export type CallTails = (end: McpCallEnd, era: PlainRequest["era"]) => string;

/** Creates the formatter of results; `info` is the server's description. */
export function createCallTails(info: McpServerInfo): CallTails {
  const server = `"io.modelcontextprotocol/serverInfo":${JSON.stringify(info)}`;
  const modernEnd = `",${server}},"resultType":"complete"}}`;
  return (end, era) => {
    if ("members" in end) {
      const tail = era === "modern" ? modernEnd : '"}}}';
      // Our own ids need no escaping.
      return `,"result":{${end.members},"_meta":{"platform/job-id":"${end.jobId}${tail}`;
    }
    if (end instanceof McpFault) {
      const { code, message, data } = end;
      return errorTail(data === undefined ? { code, message } : { code, message, data });
    }
    if (isToolResult(end)) {
      const result = projected(end, era);
      if (era === "legacy") return resultTail(JSON.stringify(result));
      return modern({ ...result, resultType: "complete" }, info, result._meta);
    }
    if ("inputRequests" in end) return modern({ resultType: "input_required", ...end }, info);
    // Clients of the official SDK require content in every answer to a call.
    return modern({ resultType: "task", ...end, content: [] }, info);
  };
}

function modern(result: object, info: McpServerInfo, meta: object = {}): string {
  return resultTail(JSON.stringify({ ...result, _meta: { ...meta, "io.modelcontextprotocol/serverInfo": info } }));
}

/**
 * Structured content that is not an object: it always has a text beside it, and older clients get it inside an object.
 */
function projected(result: McpToolResult, era: PlainRequest["era"]): McpToolResult {
  const { content, structuredContent: value } = result;
  if (value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value))) return result;
  const hasText = content.some(({ type }) => type === "text");
  return {
    ...result,
    content: hasText ? content : [...content, { type: "text", text: JSON.stringify(value) }],
    structuredContent: era === "legacy" ? { result: value } : value,
  };
}
