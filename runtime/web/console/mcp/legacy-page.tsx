import type { VNode } from "preact";
import type { ViewProps } from "../base/use-view.ts";
import { legacyHost } from "./legacy-host.ts";
import { McpPage } from "./mcp-page.tsx";

/** Shows the service as a host of an older revision of MCP sees it, with a session. */
export function LegacyPage({ route }: ViewProps): VNode {
  return <McpPage route={route} view="mcp-2025-11-25" connect={legacyHost} />;
}
