import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ToolError } from "../../base/errors.ts";
import type { HttpCall } from "../../job/http-call.ts";
import { writeAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { checkFraming } from "./check-framing.ts";
import type { Exchange } from "./exchange.ts";
import type { Pipeline } from "./pipelined.ts";
import { readBody } from "./read-body.ts";

/** Parts that only a server of `node:http` has. */
export interface NodeServer {
  /** True: each answer is the last one of its connection. */
  readonly isDraining?: () => boolean;
  /** Bounds the requests behind unanswered ones of their connection, once it is loaded. */
  readonly pipeline?: () => Pipeline | undefined;
}

/** The listener of a server of `node:http` for a door. It checks what only bytes of a connection can have wrong. */
export function nodeListener(
  door: (exchange: Exchange) => void,
  { isDraining = () => false, pipeline = () => undefined }: NodeServer = {},
): RequestListener {
  const enter = (request: IncomingMessage, response: ServerResponse): void => {
    const fault = checkFraming(request);
    if (fault !== undefined) {
      writeAnswer(response, fault);
      return;
    }
    let { host } = request.headers;
    const { url = "/" } = request;
    const absolute = url.startsWith("/") ? null : URL.parse(url);
    if (absolute?.protocol === "http:") {
      // The absolute form, as proxies send it: its authority is used, not the Host header.
      ({ host } = absolute);
      const start = url.indexOf("/", "http://".length);
      request.url = start < 0 ? "/" : url.slice(start);
    }
    if (isDraining()) response.setHeader("Connection", "close");
    door(new NodeExchange(request, response, host));
  };
  return (request, response) => {
    // Node gives a response its socket when all earlier ones of the connection have ended.
    const waits = response.socket === null ? pipeline() : undefined;
    if (waits === undefined) enter(request, response);
    else waits(request, response, () => enter(request, response));
  };
}

/** An exchange of `node:http`: the fast path, without a stream, an object of headers or a promise. */
class NodeExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly host: string | undefined;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #added: readonly string[] | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, host: string | undefined) {
    const { method = "GET", url = "/" } = request;
    const end = url.indexOf("?");
    this.method = method;
    this.path = end < 0 ? url : url.slice(0, end);
    this.query = end < 0 ? "" : url.slice(end + 1);
    this.host = host;
    this.#request = request;
    this.#response = response;
  }

  get scheme(): string {
    return "http";
  }

  get address(): string | undefined {
    return this.#request.socket.remoteAddress;
  }

  get call(): HttpCall {
    return this.#response;
  }

  header(name: string): string | undefined {
    // Only `Set-Cookie` would be a list, and nothing here reads it.
    return this.#request.headers[name] as string | undefined;
  }

  body(limit: number, done: (error: ToolError | undefined, body: Buffer) => void): void {
    readBody(this.#request, this.#response, limit, done);
  }

  onGone(listener: () => void): void {
    const response = this.#response;
    if (response.destroyed) listener();
    else
      response.once("close", () => {
        if (!response.writableFinished) listener();
      });
  }

  addHeaders(headers: readonly string[]): void {
    this.#added = headers;
  }

  answer(answer: Answer): void {
    const response = this.#response;
    if (response.headersSent) response.destroy();
    else writeAnswer(response, answer, this.#added);
  }

  cut(): void {
    this.#response.destroy();
  }
}
