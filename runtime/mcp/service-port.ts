import type { McpMountOptions } from "../front-door.ts";
import type { McpPort } from "./port.ts";
import { createToolPort } from "./tool-port.ts";

/** The port of a whole service: its name and version, its tools, its executor. */
export function servicePort(options: Pick<McpMountOptions, "service" | "version" | "tools" | "executor">): McpPort {
  const { service, version, tools, executor } = options;
  return createToolPort({
    info: {
      name: service.name,
      version,
      ...(service.description !== undefined && { description: service.description }),
    },
    tools,
    start: (submission) => executor.start(submission),
  });
}
