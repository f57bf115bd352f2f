import type { ServerResponse } from "node:http";
import { endText, versionHeader } from "../../http/answer.ts";
import type { McpFault } from "../port/fault.ts";
import type { PlainReply } from "./engine.ts";
import { event, eventStream, heartbeat, keepAlive, patience, statusOf } from "./event-stream.ts";
import type { PlainRequest } from "./read-request.ts";

/** Maximum bytes that may wait for a slow client. Progress is only a hint, so more of it is dropped. */
const mostWaiting = 1024 * 1024;

const [versionName, version] = versionHeader;
const streamHead = [...eventStream, ...versionHeader];

/** An answer as JSON, or as a stream of events when other messages precede it. */
export class HttpReply implements PlainReply {
  readonly #response: ServerResponse;
  readonly #era: PlainRequest["era"];
  #timer: NodeJS.Timeout | undefined;
  #streams = false;
  ended = false;

  constructor(response: ServerResponse, era: PlainRequest["era"]) {
    this.#response = response;
    this.#era = era;
  }

  /** Called when the answer will take time; `cancel` is called when the client disconnects before it. */
  goesOn(cancel: () => void): void {
    this.#response.once("close", () => {
      clearInterval(this.#timer);
      if (!this.ended) cancel();
    });
    // Older clients give up when no head comes; newer ones expect nothing before the answer.
    if (this.#era === "legacy" && !this.#streams) this.#timer = setTimeout(() => this.#openStream(), patience);
  }

  notify(text: string): void {
    if (this.ended || this.#response.destroyed) return;
    this.#openStream();
    if (this.#response.writableLength < mostWaiting) this.#response.write(event(text));
  }

  end(text: string, bytes: Buffer | undefined, fault: McpFault | undefined, isAscii: boolean): void {
    const response = this.#response;
    this.ended = true;
    if (this.#timer !== undefined) clearInterval(this.#timer);
    if (response.destroyed) return;
    if (this.#streams) {
      response.end(event(bytes === undefined ? text : text + bytes.toString()));
      return;
    }
    const status = statusOf(fault, this.#era);
    const textLength = isAscii ? text.length : Buffer.byteLength(text);
    const length = textLength + (bytes?.byteLength ?? 0);
    // One literal: spreading existing lists would cost more.
    const head = ["Content-Type", "application/json", versionName, version, "Content-Length", String(length)];
    response.writeHead(status, head);
    if (bytes === undefined) {
      endText(response, text, textLength);
      return;
    }
    response.write(text);
    response.end(bytes);
  }

  #openStream(): void {
    if (this.#streams) return;
    this.#streams = true;
    clearTimeout(this.#timer);
    this.#response.writeHead(200, streamHead);
    this.#response.flushHeaders();
    this.#timer = setInterval(() => this.#response.write(keepAlive), heartbeat).unref();
  }
}
