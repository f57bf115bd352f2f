import type { Exchange } from "../../http/exchange.ts";
import { faultCodes, type McpFault } from "../port/fault.ts";
import type { CancelCall } from "../port/port.ts";
import type { PlainReply } from "../plain/engine.ts";
import type { PlainRequest } from "../plain/read-request.ts";
import { eventStream, toEvent } from "./event-stream.ts";

/**
 * Maximum bytes that may wait for a slow client. Beyond it, progress messages are dropped, since they are only hints.
 */
const mostWaiting = 1024 * 1024;

/** Milliseconds between heartbeats on a stream: proxies close a connection that is silent for a minute. */
const heartbeat = 15_000;
/** Milliseconds after which an older client gets a stream for its call. */
const patience = 1000;

const keepAlive = ": keepalive\n\n";

const json = ["Content-Type", "application/json"] as const;

/** An answer as JSON, or as a stream of events when other messages precede it. */
export class HttpReply implements PlainReply {
  readonly #exchange: Exchange;
  readonly #era: PlainRequest["era"];
  #timer: NodeJS.Timeout | undefined;
  #cancel: CancelCall | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  ended = false;

  constructor(exchange: Exchange, era: PlainRequest["era"]) {
    this.#exchange = exchange;
    this.#era = era;
  }

  /** Called when the answer will take time. `cancel` is called if the client disconnects before the answer. */
  goesOn(cancel: CancelCall): void {
    this.#cancel = cancel;
    this.#exchange.onGone(() => this.#leave());
    // Older clients get the head of the response after a while, because they would otherwise give up. Newer clients
    // expect nothing before the answer.
    if (this.#era === "legacy" && this.#stream === undefined) this.#timer = setTimeout(() => this.#opened(), patience);
  }

  notify(text: string): void {
    if (this.ended) return;
    const stream = this.#opened();
    if ((stream.desiredSize ?? 0) > 0) stream.enqueue(Buffer.from(toEvent(text)));
  }

  end(text: string, bytes: Buffer | undefined, fault: McpFault | undefined): void {
    if (this.ended) return;
    this.#over();
    const stream = this.#stream;
    if (stream !== undefined) {
      stream.enqueue(Buffer.from(toEvent(bytes === undefined ? text : text + bytes.toString())));
      stream.close();
      return;
    }
    const body = bytes === undefined ? text : Buffer.concat([Buffer.from(text), bytes]);
    this.#exchange.answer({ status: statusOf(fault, this.#era), headers: json, body });
  }

  #leave(): void {
    if (!this.ended) this.#cancel?.(true);
    this.#over();
  }

  /** Called when nothing more is sent. */
  #over(): void {
    this.ended = true;
    if (this.#timer !== undefined) clearInterval(this.#timer);
  }

  #opened(): ReadableStreamDefaultController<Uint8Array> {
    if (this.#stream !== undefined) return this.#stream;
    clearTimeout(this.#timer);
    let opened: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>(
      { start: (controller) => void (opened = controller), cancel: () => this.#leave() },
      { highWaterMark: mostWaiting, size: ({ byteLength }) => byteLength },
    );
    if (opened === undefined) throw new Error("A stream has not started.");
    this.#stream = opened;
    this.#exchange.answer({ status: 200, headers: eventStream, body });
    this.#timer = setInterval(() => this.#stream?.enqueue(Buffer.from(keepAlive)), heartbeat).unref();
    return opened;
  }
}

/**
 * Returns the status for an answer with an error: 200, except for one error of the newest revision, which has its own
 * status.
 */
function statusOf(fault: McpFault | undefined, era: PlainRequest["era"]): 200 | 400 {
  return fault?.code === faultCodes.missingCapability && era === "modern" ? 400 : 200;
}
