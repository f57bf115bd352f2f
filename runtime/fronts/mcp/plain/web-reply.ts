import type { McpFault } from "../port/fault.ts";
import type { PlainReply } from "./engine.ts";
import { event, eventStream, heartbeat, keepAlive, patience, statusOf } from "./event-stream.ts";
import type { PlainRequest } from "./read-request.ts";

/** The same as `HttpReply`, for servers that return a web `Response`. */
export class WebReply implements PlainReply {
  /** Resolves with the answer, or with the first message before it. */
  readonly response: Promise<Response>;
  ended = false;
  readonly #respond: (response: Response) => void;
  readonly #signal: AbortSignal;
  readonly #era: PlainRequest["era"];
  readonly #encoder = new TextEncoder();
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #cancel: (() => void) | undefined;

  constructor(signal: AbortSignal, era: PlainRequest["era"]) {
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#respond = resolve;
    this.#signal = signal;
    this.#era = era;
  }

  goesOn(cancel: () => void): void {
    this.#cancel = cancel;
    if (this.#signal.aborted) this.#leave();
    else this.#signal.addEventListener("abort", () => this.#leave(), { once: true });
    if (this.#era === "legacy" && this.#stream === undefined)
      this.#timer = setTimeout(() => this.#openStream(), patience);
  }

  notify(text: string): void {
    if (this.ended) return;
    this.#openStream();
    this.#send(event(text));
  }

  end(text: string, bytes: Buffer | undefined, fault: McpFault | undefined): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.#timer);
    const whole = bytes === undefined ? text : text + bytes.toString();
    if (this.#stream === undefined) {
      const init = { status: statusOf(fault, this.#era), headers: { "Content-Type": "application/json" } };
      this.#respond(new Response(whole, init));
      return;
    }
    this.#send(event(whole));
    this.#stream.close();
  }

  #openStream(): void {
    if (this.#stream !== undefined) return;
    clearTimeout(this.#timer);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller;
      },
      cancel: () => this.#leave(),
    });
    const headers = new Headers();
    for (let at = 0; at + 1 < eventStream.length; at += 2)
      headers.set(eventStream[at] ?? "", eventStream[at + 1] ?? "");
    this.#respond(new Response(body, { headers }));
    this.#timer = setInterval(() => this.#send(keepAlive), heartbeat).unref();
  }

  #send(text: string): void {
    this.#stream?.enqueue(this.#encoder.encode(text));
  }

  /** The client has disconnected; later messages are dropped. */
  #leave(): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.#timer);
    if (this.#stream === undefined) this.#respond(new Response(null, { status: 499 }));
    this.#stream = undefined;
    this.#cancel?.();
  }
}
