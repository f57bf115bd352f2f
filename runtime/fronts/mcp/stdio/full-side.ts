import type { McpChannel } from "../port/channel.ts";
import type { PlainRequest } from "../plain/read-request.ts";
import { modernRevision } from "../plain/read-request.ts";

/** The full engine behind a connection on which plain requests were answered without it. */
export interface FullSide {
  deliver(message: object): void;
  /** The client has gone. */
  closed(): void;
}

/**
 * Starts the full engine on a connection that has begun already: it is told what it has missed, and what it answers to
 * that is kept from the client.
 *
 * @param serve Loads the engine and lets it serve a channel.
 * @param era What the client has settled on, if it has.
 * @param hello Its `initialize`.
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
  // Nobody else makes such an id.
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

/** Requests that do nothing but settle the era of a connection. */
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
