import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../auth/caller.ts";
import { writeAnswer } from "../../http/answer.ts";
import type { McpPort } from "../port.ts";
import { requireScopes } from "../require-scopes.ts";
import { agreesWithHead } from "./agrees-with-head.ts";
import { createPlainEngine } from "./engine.ts";
import { HttpReply } from "./http-reply.ts";
import { isPlainNotification } from "./read-notification.ts";
import { readPlainRequest } from "./read-request.ts";

/**
 * Answers a message over HTTP when it is a plain one; false, with nothing done, when it takes the full engine.
 *
 * @param message Parsed JSON of a `POST`, whose Host, Origin, media type, size and depth have been checked.
 * @throws ToolError `insufficient-scope`
 */
export type AnswerPlainly = (
  request: IncomingMessage,
  response: ServerResponse,
  message: unknown,
  caller: Caller | undefined,
) => boolean;

export function createPlainHttp(port: McpPort, onPlatform: boolean): AnswerPlainly {
  const engine = createPlainEngine(port);
  return ({ headers }, response, message, caller) => {
    const header = (name: string): string | undefined => {
      const value = headers[name];
      return typeof value === "string" ? value : undefined;
    };
    const request = readPlainRequest(message);
    if (request === undefined) {
      if (!isPlainNotification(message, header)) return false;
      writeAnswer(response, { status: 202, headers: [], body: undefined });
      return true;
    }
    if (!agreesWithHead(request, header, port)) return false;
    if (caller !== undefined) requireScopes(port, caller, message);
    const reply = new HttpReply(response, request.era);
    const sender = {
      caller,
      authorization: onPlatform ? headers.authorization : undefined,
      traceparent: header("traceparent"),
      tracestate: header("tracestate"),
      capabilities: undefined,
      // A client without a connection cannot say from which level; it gets what is of general interest.
      log: "info",
    } as const;
    const cancel = engine.answer(request, sender, reply);
    if (cancel === false) return false;
    if (!reply.ended) reply.goesOn(cancel);
    return true;
  };
}
