import type { Service } from "./service.ts";
import type { Tool } from "./tools/tool.ts";

/** The service, version and tools that a start call serves. */
export interface Served {
  readonly service: Service;
  /** Resolved version of the service. */
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Prompts and resources, for MCP. */
  readonly offers?: readonly Tool[];
  /** True under `tenon dev`: the next build replaces the tools. */
  readonly mayChange?: boolean;
}
