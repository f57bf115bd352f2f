import { parseJsonBody } from "../../http/parse-json.ts";
import type { Served } from "../../../service/served.ts";
import { writeToStdout } from "../../../base/process/stdout-guard.ts";
import { describeServer } from "../lists/describe-server.ts";
import type { CatalogueOptions } from "../lists/catalogue.ts";
import { earlyPort } from "../lists/early-port.ts";
import { createLineChannel } from "./line-channel.ts";
import { serveLines } from "./serve-lines.ts";
import type { McpPort } from "../port/port.ts";

/** Milliseconds for which running calls may go on after the client has closed the input. */
const graceAtEnd = 600;

type ListsOfTools = Pick<CatalogueOptions, "instructions" | "searchList" | "jobToolList">;

export interface McpStdioOptions extends Pick<Served, "service" | "version" | "tools" | "offers">, ListsOfTools {
  readonly toolSearch: boolean;
  /** Maximum bytes of one message. */
  readonly bodyLimit: number;
  /** Loads the `McpPort` that runs calls; called with the first message that needs it. */
  readonly load: () => Promise<McpPort>;
}

/** MCP on standard input and output. */
export interface McpStdio {
  /** Resolves when the client has disconnected, or after `close`; running calls are then cancelled. */
  readonly closed: Promise<void>;
  /** Stops reading, and closes when running calls are answered. */
  close(): void;
}

/** Serves one client over standard input and output, which are guarded. The caller ends the process after `closed`. */
export function serveMcpStdio({ service, version, load, ...options }: McpStdioOptions): McpStdio {
  const channel = createLineChannel({
    input: process.stdin,
    write: (line, done) => void writeToStdout(line, done),
    parse: (line) => parseJsonBody(line),
    limit: options.bodyLimit,
    grace: graceAtEnd,
  });
  // A client that stops reading counts as disconnected.
  process.stdout.on("error", () => channel.close());
  const closed = new Promise<void>((resolve) => {
    const watched = { ...channel, open: (handlers: Handlers) => channel.open(closing(handlers, resolve)) };
    serveLines(earlyPort({ ...options, info: describeServer(service, version) }, load), load, watched);
  });
  return { closed, close: () => channel.finish() };
}

type Handlers = Parameters<ReturnType<typeof createLineChannel>["open"]>[0];

function closing(handlers: Handlers, resolve: () => void): Handlers {
  return {
    message: handlers.message,
    closed() {
      handlers.closed();
      resolve();
    },
  };
}
