import { openedOnce } from "../../../base/opened-once.ts";
import type { McpPort } from "../port/port.ts";
import { reportEngineError } from "../port/report-engine-error.ts";
import type { McpHttpEngine } from "./sdk-server.ts";

/** The MCP SDK as an engine that is loaded with the first request, so that it costs nothing without MCP requests. */
export interface LazyEngine {
  get(): Promise<McpHttpEngine>;
  /** Notifies subscribed clients of changed lists. */
  announce(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the engine. `port` is called for each request, since a reload replaces the tools. */
export function lazyEngine(port: () => McpPort): LazyEngine {
  const engine = openedOnce(async () => {
    const { createHttpEngine } = await import("./sdk-server.ts");
    return createHttpEngine(port, reportEngineError);
  });
  return {
    announce: async () => (await engine.settled())?.announce(),
    get: () => engine.value(),
    close: async () => (await engine.settled())?.close(),
  };
}
