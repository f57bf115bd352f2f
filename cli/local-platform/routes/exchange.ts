import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { ToolError } from "../../../runtime/base/errors.ts";
import { problemAnswer } from "../../../runtime/fronts/http/problem.ts";
import { readBody } from "../../../runtime/fronts/http/read-body.ts";
import type { ShortRequest } from "../../../runtime/fronts/http/short-request.ts";
import type { ReadPath } from "./request-path.ts";

/** A sent answer, in the form for recordings. */
export interface SentAnswer {
  readonly status: number;
  /** Names and values alternate. */
  readonly headers: readonly string[];
  /** Body of the answer; undefined if it was too long to be recorded. */
  readonly body: Uint8Array | undefined;
}

/** Answers one request. An exception becomes the answer. */
export type Handler = (exchange: Exchange) => void | Promise<void>;

const none: readonly string[] = [];

/** One request and its answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly method: string;
  /** Segments of the path after the service's, decoded. */
  readonly segments: readonly string[];
  /** The service that the base URL names; undefined for the platform's own routes. */
  readonly service: string | undefined;
  /** The calling worker, if it runs under the platform. */
  readonly worker: string | undefined;
  /** Called with the answer after all of it was sent. */
  onSent: ((answer: SentAnswer) => void) | undefined;
  /**
   * Treatment of the answer, for injected faults. `lost`: the connection is closed instead of an answer; `muted`: the
   * answer is dropped.
   */
  fate: "sent" | "lost" | "muted" = "sent";
  /** Body of the request, once it was read. */
  received: Buffer | undefined;
  readonly #response: ServerResponse;
  readonly #search: string;
  #query: URLSearchParams | undefined;
  #body: Promise<Buffer> | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, path: ReadPath) {
    this.request = request;
    this.method = request.method ?? "GET";
    this.segments = path.segments;
    this.service = path.service;
    this.worker = path.worker;
    this.#response = response;
    this.#search = path.search;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === "string" ? value : value?.[0];
  }

  /** All headers by lower-case name, as an object whose members can be listed. */
  headers(): IncomingHttpHeaders {
    (this.request as Partial<ShortRequest>).expandHeaders?.();
    return this.request.headers;
  }

  query(name: string): string | undefined {
    if (this.#search === "") return undefined;
    return (this.#query ??= new URLSearchParams(this.#search)).get(name) ?? undefined;
  }

  /** The whole body, read once. Rejects with `too-large`. Stays pending when the client disconnects. */
  body(limit: number): Promise<Buffer> {
    this.#body ??= new Promise((resolve, reject) => {
      readBody(this.request, this.#response, limit, (error, body) => {
        if (error !== undefined) reject(error);
        else resolve((this.received = body));
      });
    });
    return this.#body;
  }

  /** The body as a stream, for large ones. */
  incoming(): IncomingMessage {
    if (this.request.headers.expect !== undefined) this.#response.writeContinue();
    return this.request;
  }

  /** True when the client has disconnected. */
  get gone(): boolean {
    return this.#response.destroyed || this.#response.socket?.destroyed === true;
  }

  /** Calls `gone` when the client disconnects before its answer; returns a function that unsubscribes. */
  onGone(gone: () => void): () => void {
    this.#response.once("close", gone);
    return () => void this.#response.off("close", gone);
  }

  /**
   * Sends an answer.
   *
   * @param headers Names and values alternate
   */
  send(status: number, headers: readonly string[] = none, body?: string | Uint8Array): void {
    if (this.#isLost()) return;
    const length = body === undefined ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
    const noBody = status === 204 || status === 304;
    this.#response.writeHead(status, noBody ? [...headers] : [...headers, "Content-Length", String(length)]);
    endWith(this.#response, body, length);
    this.onSent?.({ status, headers, body: Buffer.from((body ?? "") as string) });
  }

  json(status: number, value: unknown, headers: readonly string[] = none): void {
    this.send(status, ["Content-Type", "application/json", ...headers], JSON.stringify(value));
  }

  /** Begins an answer; the caller writes the body to the returned response. */
  stream(status: number, headers: readonly string[]): ServerResponse {
    if (!this.#isLost()) this.#response.writeHead(status, [...headers]);
    const { onSent } = this;
    if (onSent !== undefined) collectBody(this.#response, (body) => onSent({ status, headers, body }));
    return this.#response;
  }

  fail(thrown: unknown): void {
    if (this.fate === "muted") return;
    if (this.#response.headersSent) {
      this.#response.destroy();
      return;
    }
    const { status, headers, body } = problemAnswer(thrown);
    this.send(status, headers, body as string);
  }

  /** Closes the connection without sending an answer. */
  cut(): void {
    this.#response.socket?.destroy();
  }

  /** Copies the request, as if it had arrived twice; the answer to the copy is dropped. */
  twin(): Exchange {
    const { service, worker, segments } = this;
    const twin = new Exchange(this.request, this.#response, { service, worker, segments, search: this.#search });
    twin.fate = "muted";
    twin.body = (limit) => this.body(limit);
    return twin;
  }

  #isLost(): boolean {
    if (this.fate === "lost") this.cut();
    return this.fate !== "sent";
  }
}

/** Maximum bytes of an answer that is copied into the same write as its head. */
const oneWrite = 32 * 1024;

/** Ends an answer in one write if possible: as Latin-1, in which every byte is one character. */
function endWith(response: ServerResponse, body: string | Uint8Array | undefined, length: number): void {
  if (body === undefined) response.end();
  else if (typeof body === "string") response.end(body, length === body.length ? "latin1" : "utf8");
  else if (length > oneWrite) response.end(body);
  else response.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"), "latin1");
}

/** Maximum bytes of a streamed answer that are recorded. */
const longestKept = 1024 * 1024;

/** Collects the bytes written to a response, and passes them on when it has ended. */
function collectBody(response: ServerResponse, tell: (body: Buffer | undefined) => void): void {
  const pieces: Buffer[] = [];
  let size = 0;
  const { write, end } = response;
  const keep = (piece: unknown): void => {
    if (typeof piece !== "string" && !(piece instanceof Uint8Array)) return;
    size += piece.length;
    if (size <= longestKept) pieces.push(Buffer.from(piece as string));
  };
  response.write = (...args: readonly unknown[]): boolean => {
    keep(args[0]);
    return Reflect.apply(write, response, args);
  };
  response.end = (...args: readonly unknown[]): ServerResponse => {
    keep(args[0]);
    return Reflect.apply(end, response, args);
  };
  response.once("close", () => tell(size <= longestKept ? Buffer.concat(pieces) : undefined));
}

/** The error for a missing entity, which `what` names. */
export function notFound(what: string): ToolError {
  return new ToolError("not-found", `There is no ${what}.`);
}

/** Seconds from a header or a query; undefined when there is none. Throws `bad-request`. */
export function readSeconds(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}(?:\.\d{1,3})?$/.test(text)) {
    throw new ToolError(
      "bad-request",
      `${name} must be a number of seconds, not ${JSON.stringify(text.slice(0, 50))}.`,
    );
  }
  return Math.min(Number(text), most);
}
