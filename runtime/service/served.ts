import type { Service } from "./service.ts";
import type { Tool } from "./tools/tool.ts";

/** What a start call serves. */
export interface Served {
  readonly service: Service;
  /** Resolved version of the service. */
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Prompts and resources, for MCP. */
  readonly offers?: readonly Tool[];
  /** The next build will replace it, under `tenon dev`. */
  readonly mayChange?: boolean;
}
