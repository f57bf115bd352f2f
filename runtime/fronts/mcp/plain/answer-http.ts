import { legalBaggage } from "../../../job/baggage.ts";
import type { Caller } from "../../http/caller.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { McpPort } from "../port/port.ts";
import { requireScopes } from "../lists/require-scopes.ts";
import { agreesWithHead } from "./agrees-with-head.ts";
import { createPlainEngine } from "./engine.ts";
import { HttpReply } from "./http-reply.ts";
import { isPlainNotification } from "./read-notification.ts";
import { readPlainRequest } from "./read-request.ts";

/**
 * Answers a plain message over HTTP. Returns false, without effect, for a message that needs the full engine.
 *
 * @param message Parsed JSON of a `POST`, whose Host, Origin, media type, size and depth have been checked.
 * @throws ToolError `insufficient-scope`
 */
export type AnswerPlainly = (exchange: Exchange, message: unknown, caller: Caller | undefined) => boolean;

/** Creates the function that answers plain messages over HTTP. */
export function createPlainHttp(port: McpPort, onPlatform: boolean): AnswerPlainly {
  const engine = createPlainEngine(port);
  return (exchange, message, caller) => {
    const request = readPlainRequest(message);
    if (request === undefined) {
      if (!isPlainNotification(message, exchange)) return false;
      exchange.answer({ status: 202, headers: [], body: undefined });
      return true;
    }
    if (!agreesWithHead(request, exchange, port)) return false;
    if (caller !== undefined) requireScopes(port, caller, message);
    const reply = new HttpReply(exchange, request.era);
    const sender = {
      caller,
      authorization: onPlatform ? exchange.header("authorization") : undefined,
      traceparent: exchange.header("traceparent"),
      tracestate: exchange.header("tracestate"),
      baggage: legalBaggage(exchange.header("baggage")),
      revision: exchange.header("mcp-protocol-version"),
      capabilities: undefined,
      // A client without a connection cannot choose a level; it gets messages of general interest.
      log: "info",
    } as const;
    const cancel = engine.answer(request, sender, reply);
    if (cancel === false) return false;
    if (!reply.ended) reply.goesOn(cancel);
    return true;
  };
}
