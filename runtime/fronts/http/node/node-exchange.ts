import type { HttpCall } from "../../../job/job.ts";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ToolError } from "../../../base/errors.ts";
import { announceLarge, large } from "./announce-large.ts";
import { versionHeader, type Answer } from "../answer.ts";
import { checkFraming } from "./check-framing.ts";
import type { Exchange } from "../exchange.ts";
import type { Pipeline } from "./pipelined.ts";
import { readBody } from "../read-body.ts";
import type { ShortRequest } from "../short-request.ts";

/** Defers a request. False if it may run at once; otherwise it is passed to `run` when its turn has come. */
export type Defer = (request: IncomingMessage, response: ServerResponse, run: RequestListener) => boolean;

/** State of a server of `node:http`. */
export interface NodeServer {
  /** True while the server shuts down: each answer closes its connection. */
  readonly isDraining: boolean;
  /** Limits the requests that follow unanswered ones on their connection, once it is loaded. */
  readonly pipeline?: Pipeline | undefined;
  /** Defers requests with large answers while clients do not read theirs, once it is loaded. */
  readonly defer?: Defer | undefined;
}

/**
 * The request listener of a `node:http` server. It checks the errors that only requests read from a connection can
 * have.
 */
export function nodeListener(
  handle: (exchange: Exchange) => void,
  server: NodeServer = { isDraining: false },
): RequestListener {
  const enter = (request: IncomingMessage, response: ServerResponse): void => {
    const fault = (request as Partial<ShortRequest>).hasPlainHead === true ? undefined : checkFraming(request);
    if (fault !== undefined) {
      writeAnswer(response, fault);
      return;
    }
    let { host } = request.headers;
    const { url = "/" } = request;
    const absolute = url.startsWith("/") ? null : URL.parse(url);
    if (absolute?.protocol === "http:") {
      // The host is taken from a URL in absolute form, as proxies send it: its authority replaces the Host header.
      ({ host } = absolute);
      const target = /[/?].*/.exec(url.slice("http://".length))?.[0] ?? "/";
      request.url = target.startsWith("/") ? target : `/${target}`;
    }
    if (server.isDraining) response.setHeader("Connection", "close");
    handle(new NodeExchange(request, response, host));
  };
  const admit = (request: IncomingMessage, response: ServerResponse): void => {
    if (server.defer?.(request, response, enter) !== true) enter(request, response);
  };
  return (request, response) => {
    // Node gives a response its socket only when all earlier responses of the connection have ended.
    const waits = response.socket === null ? server.pipeline : undefined;
    if (waits === undefined) admit(request, response);
    else waits(request, response, () => admit(request, response));
  };
}

/** An exchange of `node:http`. This is the fast path: it needs no stream, no object of headers and no promise. */
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
    const request = this.#request as IncomingMessage & Partial<ShortRequest>;
    if (request.readHeader !== undefined) return request.readHeader(name);
    return request.headers[name] as string | undefined;
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

/**
 * Sends an answer through `node:http`. Does nothing when the client has disconnected.
 *
 * @param added Further headers after those of the answer. Names and values alternate.
 */
export function writeAnswer(response: ServerResponse, answer: Answer, added: readonly string[] = none): void {
  const { status, headers, body } = answer;
  // A loop is used, since `concat` and a spread are calls into V8's runtime.
  const head: string[] = [];
  for (const part of headers) head.push(part);
  for (const part of added) head.push(part);
  head.push(versionHeader[0], versionHeader[1]);
  if (body === undefined) {
    if (status !== 204 && status !== 304) head.push("Content-Length", "0");
    response.writeHead(status, head);
    response.end();
    return;
  }
  // `instanceof ReadableStream` is avoided: reading that global loads web streams, which takes 4 ms of the first
  // answer.
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    response.writeHead(status, head);
    if (response.req.method === "HEAD" || response.destroyed) {
      response.end();
      void body.cancel().catch(() => {});
    } else void pump(body, response);
    return;
  }
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  head.push("Content-Length", String(length));
  response.writeHead(status, head);
  if (length > large) {
    announceLarge(response, length);
    if (response.destroyed) return;
  }
  // A pure ASCII text, the usual case, is sent without conversion.
  if (typeof body === "string") response.end(body, length === body.length ? "latin1" : "utf8");
  else response.end(body);
}

const none: readonly string[] = [];

async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  // The head is sent at once, since a stream may produce no data for a long time.
  response.flushHeaders();
  const reader = body.getReader();
  let goOn = (): void => {};
  response.on("drain", () => goOn());
  response.once("close", () => {
    goOn();
    // If the client disconnects, the source of the stream is ended as well.
    void reader.cancel().catch(() => {});
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value) && !response.destroyed) {
        await new Promise<void>((resolve) => (goOn = resolve));
      }
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    // The head has been sent; closing the connection is the only way to show that the body is incomplete.
    response.destroy();
  }
}
