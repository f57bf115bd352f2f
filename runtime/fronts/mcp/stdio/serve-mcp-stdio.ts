import { parseJsonBody } from "../../http/parse-json.ts";
import type { Served } from "../../../service/served.ts";
import { writeToStdout } from "../../../base/process/stdout-guard.ts";
import { describeServer } from "../lists/describe-server.ts";
import { earlyPort } from "../lists/early-port.ts";
import { createLineChannel } from "./line-channel.ts";
import { serveLines } from "./serve-lines.ts";
import type { McpPort } from "../port/port.ts";

/** Running calls may take this long to be answered after the client has closed our input, in milliseconds. */
const graceAtEnd = 600;

export interface McpStdioOptions extends Pick<Served, "service" | "version" | "tools" | "offers"> {
  readonly jobTools: boolean;
  /** Bytes that one message may have. */
  readonly bodyLimit: number;
  /** Loads the port that runs calls; asked for with the first message that needs it. */
  readonly load: () => Promise<McpPort>;
}

/** MCP on standard input and output. */
export interface McpStdio {
  /** Resolves when the client has gone, or after `close`; running calls are cancelled then. */
  readonly closed: Promise<void>;
  /** Reads no more, and closes when what runs is answered. */
  close(): void;
}

/** Serves one client over standard input and output, which is guarded; the caller ends the process when it has `closed`. */
export function serveMcpStdio({ service, version, load, ...options }: McpStdioOptions): McpStdio {
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
