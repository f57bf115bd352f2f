import { readConfig } from "../config.ts";
import { createExecutor } from "../jobs/executor.ts";
import { createMemoryStore } from "../jobs/store/memory.ts";
import { resolveTools } from "../resolve-tools.ts";
import { resolveVersion, type Service } from "../service.ts";
import { serveMcpStdio } from "./serve-mcp-stdio.ts";

/** Bytes that one message may have. */
const messageLimit = 1024 * 1024;
/** Cancelled calls get this long to notice, in milliseconds; with the answers' grace it stays under a second. */
const drainAtEnd = 100;

/**
 * Serves the tools of the process to one MCP client over standard input and output, without an HTTP server. When the
 * client closes the input, or a signal comes, running calls end and the process exits with code 0.
 *
 * ```ts
 * await runMcpStdio(new Service({ name: "Prime numbers" }));
 * ```
 */
export async function runMcpStdio(service: Service): Promise<void> {
  const config = readConfig(process.env, []);
  const tools = resolveTools();
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const version = resolveVersion(service, config.version, process.cwd());
  const stdio = await serveMcpStdio({ service, version, tools, executor, bodyLimit: messageLimit });
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    void executor.drain(config.shutdownGrace).then(() => stdio.close());
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  await stdio.closed;
  await executor.drain(drainAtEnd);
  // Author code may hold timers and sockets open; the client waits for our end.
  process.exit(0);
}
