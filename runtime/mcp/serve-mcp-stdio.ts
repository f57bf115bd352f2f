import type { McpMountOptions } from "../front-door.ts";
import { parseJsonBody } from "../http/parse-json.ts";
import { installStdoutGuard } from "../install-stdout-guard.ts";
import { writeToStdout } from "../stdout-guard.ts";
import { createLineChannel } from "./line-channel.ts";
import { serveLines } from "./plain/serve-lines.ts";
import { servicePort } from "./service-port.ts";

/** Running calls may take this long to be answered after the client has closed our input, in milliseconds. */
const graceAtEnd = 600;

export type McpStdioOptions = Pick<
  McpMountOptions,
  "service" | "version" | "tools" | "offers" | "executor" | "bodyLimit" | "calls" | "delivery"
> & {
  readonly jobTools?: boolean;
};

/** MCP on standard input and output. */
export interface McpStdio {
  /** Resolves when the client has gone, or after `close`; running calls are cancelled then. */
  readonly closed: Promise<void>;
  /** Reads no more, and closes when what runs is answered. */
  close(): void;
}

/** Serves one client over standard input and output; the caller ends the process when it has `closed`. */
export function serveMcpStdio(options: McpStdioOptions): McpStdio {
  // A bundle has done so in its banner, before any module ran; this is for services that are run unbundled.
  installStdoutGuard(true);
  const channel = createLineChannel({
    input: process.stdin,
    write: (line, done) => void writeToStdout(line, done),
    parse: (line) => parseJsonBody(line),
    limit: options.bodyLimit,
    grace: graceAtEnd,
  });
  // A client that stops reading has gone, too.
  process.stdout.on("error", () => channel.close());
  const closed = new Promise<void>((resolve) => {
    const watched = { ...channel, open: (handlers: Handlers) => channel.open(closing(handlers, resolve)) };
    serveLines(servicePort({ ...options, transport: "pipe" }), watched);
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
