import type { VNode } from "preact";
import type { ViewProps } from "../base/use-view.ts";
import { modernHost } from "./modern-host.ts";
import { McpPage } from "./mcp-page.tsx";

/** Shows the service as a host of the newest revision of MCP sees it. */
export function ModernPage({ route }: ViewProps): VNode {
  return <McpPage route={route} view="mcp" connect={modernHost} />;
}
