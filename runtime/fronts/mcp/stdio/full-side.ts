import type { McpChannel } from "../port/channel.ts";
import { modernRevision, type PlainRequest } from "../plain/read-request.ts";

/** The MCP SDK on a connection whose plain requests were answered without it. */
export interface FullSide {
  deliver(message: object): void;
  /** Called when the client has disconnected. */
  closed(): void;
}

/**
 * Starts the MCP SDK on an existing connection: earlier messages are replayed to it, and its answers to these are
 * dropped.
 *
 * @param serve Loads the SDK and lets it serve a channel.
 * @param era `modern` for a client of the newest revision, `legacy` for an older one; undefined if not known.
 * @param hello The client's `initialize`.
 */
export function startFullSide(
  channel: McpChannel,
  serve: (channel: McpChannel) => Promise<unknown>,
  era: PlainRequest["era"] | undefined,
  hello: object | undefined,
): FullSide {
  let handlers: Parameters<McpChannel["open"]>[0] | undefined;
  let isClosed = false;
  const waiting: object[] = [];
  // The id is random, so that clients do not use it.
  const ours = `tenon ${Math.random()} ${Math.random()}`;
  const missed = hello ?? (era === undefined ? undefined : pinning[era]);
  if (missed !== undefined) waiting.push({ ...missed, id: ours });
  serve({
    open(given) {
      handlers = given;
      for (const message of waiting.splice(0)) given.message(message);
      if (isClosed) given.closed();
    },
    send: (message) => ("id" in message && message.id === ours ? Promise.resolve() : channel.send(message)),
    close: () => channel.close(),
  }).catch(() => channel.close());
  return {
    deliver(message) {
      if (handlers === undefined) waiting.push(message);
      else handlers.message(message);
    },
    closed() {
      isClosed = true;
      handlers?.closed();
    },
  };
}

/** Requests that only tell the SDK which revision the client uses. */
const pinning = {
  legacy: { jsonrpc: "2.0", method: "ping" },
  modern: {
    jsonrpc: "2.0",
    method: "tools/list",
    params: {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": modernRevision,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  },
} as const;
