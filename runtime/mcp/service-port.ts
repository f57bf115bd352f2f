import type { McpMountOptions } from "../front-door.ts";
import { observePort } from "../telemetry/mcp-span.ts";
import type { ObservedCall } from "../telemetry/mcp-span.ts";
import type { McpPort } from "./port.ts";
import { createToolPort } from "./tool-port.ts";

export interface ServicePortOptions extends Pick<McpMountOptions, "service" | "version" | "tools" | "executor" | "calls" | "delivery"> {
  /** Default: `tcp`. */
  readonly transport?: ObservedCall["transport"];
}

/** The port of a whole service: its name and version, its tools, its executor. */
export function servicePort(options: ServicePortOptions): McpPort {
  const { service, version, tools, executor, calls, delivery, transport = "tcp" } = options;
  const port = createToolPort({
    info: {
      name: service.name,
      version,
      ...(service.description !== undefined && { description: service.description }),
    },
    tools,
    start(submission) {
      if (delivery?.reportsResults !== true) return executor.start(submission);
      const job = executor.start({ ...submission, repeatable: true });
      delivery.report(job, { authorization: submission.authorization });
      return job;
    },
  });
  return observePort(port, calls, transport);
}
