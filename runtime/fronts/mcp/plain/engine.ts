import { reports, startContext } from "../port/call-context.ts";
import { McpFault, type MessageId } from "../port/fault.ts";
import { isToolResult, type McpCallEnd, type McpInputRequired, type McpToolResult } from "../port/answers.ts";
import type { McpServerInfo } from "../port/descriptors.ts";
import type { PlainPort } from "../lists/early-port.ts";
import type { CancelCall, McpSender, McpStartContext } from "../port/port.ts";
import { FixedAnswers, resultTail } from "./fixed-answers.ts";
import type { PlainRequest } from "./read-request.ts";

/** Receives the answer to a request. */
export interface PlainReply {
  /** Sends a message before the answer. */
  notify(text: string): void;
  /** Sends the answer; called once. `fault` is set for an error. */
  end(text: string, bytes: Buffer | undefined, fault: McpFault | undefined): void;
  /**
   * Replaces the answer for an older client with a connection. Such a client gets questions as requests of the server,
   * which the MCP SDK sends.
   */
  ask?(question: McpInputRequired): void;
}

/**
 * Engine for plain requests. It answers with cached texts, and with results in the form in which jobs return them. It
 * is independent of the transport.
 */
export interface PlainEngine {
  /**
   * Answers a request, at once if possible. Returns a function that cancels it, or false, without effect, for a request
   * that needs the MCP SDK.
   */
  answer(request: PlainRequest, sender: McpSender, reply: PlainReply): CancelCall | false;
}

/** Creates the engine for plain requests to a service. */
export function createPlainEngine(port: PlainPort): PlainEngine {
  const fixed = new FixedAnswers(port);
  const tailOf = createCallTails(port.info);
  return {
    answer(request, sender, reply) {
      const { id, era, method } = request;
      if (method === "tools/call") {
        return port.startCall(request.name, request.args, contextOf(request, sender, reply), (end: McpCallEnd) => {
          if (era === "legacy" && reply.ask !== undefined && "inputRequests" in end) reply.ask(end);
          else reply.end(answerHead(id) + tailOf(end, era), undefined, end instanceof McpFault ? end : undefined);
        });
      }
      const tail = fixed.of(request, sender.caller?.scopes);
      if (tail === undefined) return false;
      reply.end(answerHead(id), tail, undefined);
      return nothing;
    },
  };
}

const sent = Promise.resolve();

function contextOf(request: PlainRequest, sender: McpSender, reply: PlainReply): McpStartContext {
  const level = request.era === "legacy" ? sender.logLevel : undefined;
  const report = reports(request.progressToken, level, (method, params) => {
    reply.notify(JSON.stringify({ jsonrpc: "2.0", method, params }));
    return sent;
  });
  const { capabilities = sender.capabilities, revision = sender.revision } = request;
  return startContext(request.id, request, { capabilities, revision }, sender, report);
}

function nothing(): void {}

// A message is assembled as text: a head with the id, and a tail, which may be cached.

/** Makes the beginning of an answer, up to its id. */
function answerHead(id: Exclude<MessageId, null>): string {
  return `{"jsonrpc":"2.0","id":${typeof id === "number" ? id : JSON.stringify(id)}`;
}

/** Makes the part of an answer after the id, for an error. */
function errorTail(error: { readonly code: number; readonly message: string; readonly data?: unknown }): string {
  return `,"error":${JSON.stringify(error)}}`;
}

/** Formats the results of calls for the revision of a request. */
type CallTails = (end: McpCallEnd, era: PlainRequest["era"]) => string;

/** Creates the formatter of results; `info` is the server's description. */
function createCallTails(info: McpServerInfo): CallTails {
  const server = `"io.modelcontextprotocol/serverInfo":${JSON.stringify(info)}`;
  const modernEnd = `",${server}},"resultType":"complete"}}`;
  return (end, era) => {
    if ("members" in end) {
      const tail = era === "modern" ? modernEnd : '"}}}';
      // The id is inserted as it is, since ids of tenon need no escaping.
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
    // The empty content is needed, since clients that use the MCP SDK require content in every answer to a call.
    return modern({ resultType: "task", ...end, content: [] }, info);
  };
}

function modern(result: object, info: McpServerInfo, meta: object = {}): string {
  return resultTail(JSON.stringify({ ...result, _meta: { ...meta, "io.modelcontextprotocol/serverInfo": info } }));
}

/**
 * Converts structured content that is not an object: for older clients it is wrapped in an object. Such a result always
 * has a text as well.
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
