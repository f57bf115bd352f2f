import { textOf, unknownSender } from "../port/call-context.ts";
import { legacyCapabilities } from "../port/capabilities.ts";
import type { McpChannel } from "../port/channel.ts";
import type { LineChannel } from "./line-channel.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpInputRequired } from "../port/answers.ts";
import type { PlainPort } from "../lists/early-port.ts";
import type { McpPort } from "../port/port.ts";
import { createPlainEngine, type PlainEngine, type PlainReply } from "../plain/engine.ts";
import { startFullSide, type FullSide } from "./full-side.ts";
import { legacyRevisions, readPlainRequest, type PlainRequest } from "../plain/read-request.ts";

/** Parts that tests can change. */
export interface LinesParts {
  /** False: the MCP SDK answers all requests. */
  readonly plain?: false;
}

/**
 * Serves MCP over a channel of lines. Plain requests are answered at once; the SDK is loaded with the first request
 * that is not plain.
 *
 * @param whole The complete `McpPort` of the service; `port` is its part for plain requests.
 */
export function serveLines(
  port: PlainPort,
  whole: () => Promise<McpPort>,
  channel: LineChannel,
  { plain }: LinesParts = {},
): void {
  const serveFully = async (own: McpChannel): Promise<unknown> => {
    const [{ serveChannel, reportEngineError }, full] = await Promise.all([import("../sdk/sdk-server.ts"), whole()]);
    return serveChannel(full, own, reportEngineError);
  };
  if (plain === false) void serveFully(channel);
  else new PlainConnection(createPlainEngine(port), channel, serveFully).open();
}

type ServeFully = (channel: McpChannel) => Promise<unknown>;

interface RunningRequest {
  readonly reply: LineReply;
  readonly cancel: () => void;
}

class PlainConnection {
  readonly #engine: PlainEngine;
  readonly #channel: LineChannel;
  readonly #serveFully: ServeFully;
  readonly #running = new Map<unknown, RunningRequest>();
  /** Set by the client's first request other than `server/discover`. */
  #era: PlainRequest["era"] | undefined;
  #hello: object | undefined;
  #sender = unknownSender;
  #full: FullSide | undefined;

  constructor(engine: PlainEngine, channel: LineChannel, serveFully: ServeFully) {
    this.#engine = engine;
    this.#channel = channel;
    this.#serveFully = serveFully;
  }

  open(): void {
    this.#channel.open({
      message: (message) => this.#take(message as Readonly<Record<string, unknown>>),
      closed: () => {
        for (const { cancel } of this.#running.values()) cancel();
        this.#full?.closed();
      },
    });
  }

  #take(message: Readonly<Record<string, unknown>>): void {
    if (typeof message["method"] === "string" && !("id" in message)) {
      this.#notice(message, message["method"]);
      return;
    }
    const request = readPlainRequest(message);
    if (request === undefined || (this.#era !== undefined && this.#era !== request.era)) {
      this.#pass(message);
      return;
    }
    // `server/discover` does not determine the client's revision.
    if (request.method !== "server/discover") this.#era = request.era;
    if (request.method === "initialize") {
      this.#hello = message;
      const revision = legacyRevisions.find((known) => known === request.revision) ?? legacyRevisions[0];
      const capabilities = legacyCapabilities(request.capabilities ?? {});
      this.#sender = { ...this.#sender, capabilities, revision };
      if (this.#full !== undefined) {
        this.#pass(message);
        return;
      }
    }
    const reply = new LineReply(this.#channel, request.id, {
      over: () => this.#running.delete(request.id),
      ask: ({ requestState }) => this.#pass(withState(message, requestState)),
    });
    const cancel = this.#engine.answer(request, this.#sender, reply);
    if (cancel === false) this.#pass(message);
    else if (!reply.over) this.#running.set(request.id, { reply, cancel });
  }

  #notice(message: Readonly<Record<string, unknown>>, method: string): void {
    if (method === "notifications/cancelled" && isObject(message["params"])) {
      const running = this.#running.get(message["params"]["requestId"]);
      if (running !== undefined) {
        running.reply.drop();
        running.cancel();
        return;
      }
    }
    // The notification is passed on, since it may concern a request that the MCP SDK runs.
    if (this.#full !== undefined || this.#era === undefined) this.#pass(message);
  }

  #pass(message: Readonly<Record<string, unknown>>): void {
    this.#full ??= startFullSide(this.#channel, this.#serveFully, this.#era, this.#hello);
    this.#era ??= eraOf(message);
    if (message["method"] === "logging/setLevel" && isObject(message["params"]))
      this.#sender = { ...this.#sender, logLevel: textOf(message["params"]["level"]) };
    this.#full.deliver(message);
  }
}

/** An answer as a line, with the messages before it. */
class LineReply implements PlainReply {
  over = false;
  readonly ask: (question: McpInputRequired) => void;
  readonly #channel: LineChannel;
  readonly #id: PlainRequest["id"];
  readonly #onOver: () => void;

  constructor(
    channel: LineChannel,
    id: PlainRequest["id"],
    on: { readonly over: () => void; readonly ask: (question: McpInputRequired) => void },
  ) {
    this.#channel = channel;
    this.#id = id;
    this.#onOver = on.over;
    this.ask = (question) => {
      if (this.over) return;
      this.drop();
      on.ask(question);
    };
  }

  notify(text: string): void {
    if (!this.over) this.#channel.sendText(text);
  }

  end(text: string, bytes: Buffer | undefined): void {
    if (this.over) return;
    this.drop();
    this.#channel.sendText(bytes === undefined ? text : text + bytes.toString(), this.#id);
  }

  /** Drops all further messages. */
  drop(): void {
    this.over = true;
    this.#onOver();
  }
}

/**
 * Determines the client's revision from an unusual first message. If a request does not fit that revision, the MCP SDK
 * answers it.
 */
function eraOf({ method, params }: Readonly<Record<string, unknown>>): PlainRequest["era"] | undefined {
  const meta = isObject(params) ? params["_meta"] : undefined;
  const isModern = isObject(meta) && "io.modelcontextprotocol/protocolVersion" in meta;
  return method === "server/discover" ? undefined : isModern ? "modern" : "legacy";
}

function withState(
  message: Readonly<Record<string, unknown>>,
  requestState: string,
): Readonly<Record<string, unknown>> {
  return { ...message, params: { ...(message["params"] as object), requestState } };
}
