import type { Readable } from "node:stream";
import { ToolError } from "../../../base/errors.ts";
import type { McpChannel } from "../port/channel.ts";
import { faultCodes, faultMessage, McpFault, refusalCode } from "../port/fault.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import { checkMessageShape, requestId } from "../port/message-shape.ts";
import { type Line, splitLines } from "./split-lines.ts";

export interface LineChannelOptions {
  readonly input: Readable;
  readonly write: (line: string, done: (error?: Error | null) => void) => void;
  /** Parses bytes as JSON, with every safety check. @throws ToolError */
  readonly parse: (line: Buffer) => unknown;
  /** Maximum bytes of a line. */
  readonly limit: number;
  /** Milliseconds for which running requests may continue after the end of the input. */
  readonly grace: number;
}

export interface LineChannel extends McpChannel {
  /** Sends a message that is already text. `answers`: the id of the answered request. */
  sendText(text: string, answers?: unknown): void;
  /** Stops reading. Closes when running requests have ended, or after the grace period, as at the end of the input. */
  finish(): void;
}

/**
 * JSON-RPC with one message per line. An invalid line is answered with an error, and reading goes on. After the end of
 * the input, running requests may still be answered for a moment: `printf … | service` gets its answer.
 */
export function createLineChannel(options: LineChannelOptions): LineChannel {
  const unanswered = new Set<unknown>();
  let ended = false;
  let closed = false;
  let onMessage: (message: object) => void = () => {};
  let onClosed: () => void = () => {};
  let graceTimer: NodeJS.Timeout | undefined;

  const close = (): void => {
    if (closed) return;
    closed = true;
    clearTimeout(graceTimer);
    options.input.off("data", split).off("end", end).off("close", end).off("error", end).pause();
    onClosed();
  };
  // Answers of one turn of the event loop are written together, which saves a system call for each.
  let waiting: { text: string; readonly written: ((error?: Error | null) => void)[] } | undefined;
  const flush = (): void => {
    if (waiting === undefined) return;
    const { text, written } = waiting;
    waiting = undefined;
    options.write(text, (error) => {
      for (const done of written) done(error);
    });
  };
  const put = (text: string, done: (error?: Error | null) => void): void => {
    if (waiting === undefined) {
      waiting = { text: "", written: [] };
      queueMicrotask(flush);
    }
    waiting.text += `${text}\n`;
    waiting.written.push(done);
  };
  const send = (message: object): Promise<void> => {
    if (closed) return Promise.reject(new Error("The MCP channel is closed."));
    return new Promise((resolve, reject) => {
      put(JSON.stringify(message), (error) => {
        if (error) reject(error);
        else resolve();
        if ("id" in message && !("method" in message)) settle(message.id);
      });
    });
  };
  const sendText = (text: string, answers?: unknown): void => {
    if (!closed) put(text, () => settle(answers));
  };
  const settle = (id: unknown): void => {
    unanswered.delete(id);
    if (ended && unanswered.size === 0) close();
  };
  const receive = (line: Line): void => {
    if ("begin" in line) {
      // The end of the input waits for this answer, too.
      unanswered.add(line);
      void import("./too-long-message.ts")
        .then(({ tooLongMessage }) => send(tooLongMessage(line, options.limit)))
        .catch(() => {})
        .then(() => settle(line));
      return;
    }
    if (line.length === 0) return;
    try {
      const message = parseLine(line, options);
      if ("method" in message && "id" in message) unanswered.add(message.id);
      const cancelled = cancelledRequest(message);
      onMessage(message);
      // A cancelled request gets no answer, so the channel need not wait for it.
      if (unanswered.has(cancelled)) settle(cancelled);
    } catch (thrown) {
      const fault =
        thrown instanceof LineFault ? thrown : new LineFault(faultCodes.internalError, "Internal error", null);
      send(faultMessage(fault.code, fault.message, fault.id)).catch(() => {});
    }
  };
  const split = splitLines(options.limit, receive);
  const finish = (): void => {
    if (ended) return;
    ended = true;
    options.input.off("data", split).pause();
    if (unanswered.size === 0) close();
    else graceTimer = setTimeout(close, options.grace);
  };
  const end = (): void => {
    // The last line may lack its line break.
    split();
    finish();
  };

  return {
    open(handlers) {
      onMessage = handlers.message;
      onClosed = handlers.closed;
      options.input.on("data", split).on("end", end).on("close", end).on("error", end);
    },
    send,
    sendText,
    finish,
    close,
  };
}

class LineFault extends McpFault {
  readonly id: ReturnType<typeof requestId>;

  constructor(code: McpFault["code"], message: string, id: ReturnType<typeof requestId>) {
    super(code, message);
    this.id = id;
  }
}

function parseLine(line: Buffer, options: LineChannelOptions): object {
  let message: unknown;
  try {
    message = options.parse(line);
  } catch (thrown) {
    const error = ToolError.from(thrown);
    throw new LineFault(refusalCode(error), error.message, null);
  }
  try {
    checkMessageShape(message);
    // Batches exist over HTTP only, and only in one old revision.
    if (!isObject(message)) throw new McpFault(faultCodes.invalidRequest, "Invalid request: a line is one message.");
    return message;
  } catch (thrown) {
    if (thrown instanceof McpFault) throw new LineFault(thrown.code, thrown.message, requestId(message));
    throw thrown;
  }
}

function cancelledRequest(message: object): unknown {
  if (!("method" in message) || message.method !== "notifications/cancelled" || !("params" in message))
    return undefined;
  return isObject(message.params) ? message.params["requestId"] : undefined;
}
