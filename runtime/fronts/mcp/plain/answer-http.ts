import { legalBaggage } from "../../../job/baggage.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../http/caller.ts";
import { writeAnswer } from "../../http/answer.ts";
import type { McpPort } from "../port/port.ts";
import { requireScopes } from "../lists/require-scopes.ts";
import { agreesWithHead } from "./agrees-with-head.ts";
import type { RequestHead } from "./agrees-with-head.ts";
import { createPlainEngine } from "./engine.ts";
import type { PlainReply } from "./engine.ts";
import { HttpReply } from "./http-reply.ts";
import { isPlainNotification } from "./read-notification.ts";
import { readPlainRequest } from "./read-request.ts";
import type { PlainRequest } from "./read-request.ts";
import { WebReply } from "./web-reply.ts";

/** An answer over HTTP. */
interface LongReply extends PlainReply {
  readonly ended: boolean;
  /** Called when the answer will take time; `cancel` is called when the client disconnects before it. */
  goesOn(cancel: () => void): void;
}

/**
 * Answers a plain message over HTTP. Returns false, without effect, for a message that needs the full engine.
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

/** Creates the function that answers plain messages over `node:http`. */
export function createPlainHttp(port: McpPort, onPlatform: boolean): AnswerPlainly {
  const answer = createPlainDoor(port, onPlatform);
  return ({ headers }, response, message, caller) => {
    // Only `Set-Cookie` would be a list, and nothing here reads it.
    const answered = answer(message, headers as RequestHead, caller, (era) => new HttpReply(response, era));
    if (answered === "taken") writeAnswer(response, { status: 202, headers: [], body: undefined });
    return answered !== false;
  };
}

/** The same for web requests; returns undefined for a message that needs the full engine. */
export function createPlainWeb(
  port: McpPort,
  onPlatform: boolean,
): (request: Request, message: unknown, caller: Caller | undefined) => Promise<Response> | undefined {
  const answer = createPlainDoor(port, onPlatform);
  return ({ headers, signal }, message, caller) => {
    let reply: WebReply | undefined;
    const answered = answer(message, Object.fromEntries(headers), caller, (era) => (reply = new WebReply(signal, era)));
    if (answered === "taken") return Promise.resolve(new Response(null, { status: 202 }));
    return answered === false ? undefined : reply?.response;
  };
}

type PlainDoor = (
  message: unknown,
  head: RequestHead,
  caller: Caller | undefined,
  replyTo: (era: PlainRequest["era"]) => LongReply,
) => "answered" | "taken" | false;

function createPlainDoor(port: McpPort, onPlatform: boolean): PlainDoor {
  const engine = createPlainEngine(port);
  return (message, head, caller, replyTo) => {
    const request = readPlainRequest(message);
    if (request === undefined) return isPlainNotification(message, head) ? "taken" : false;
    if (!agreesWithHead(request, head, port)) return false;
    if (caller !== undefined) requireScopes(port, caller, message);
    const reply = replyTo(request.era);
    const sender = {
      caller,
      authorization: onPlatform ? head["authorization"] : undefined,
      traceparent: head["traceparent"],
      tracestate: head["tracestate"],
      baggage: legalBaggage(head["baggage"]),
      revision: head["mcp-protocol-version"],
      capabilities: undefined,
      // A client without a connection cannot choose a level; it gets messages of general interest.
      log: "info",
    } as const;
    const cancel = engine.answer(request, sender, reply);
    if (cancel === false) return false;
    if (!reply.ended) reply.goesOn(cancel);
    return "answered";
  };
}
