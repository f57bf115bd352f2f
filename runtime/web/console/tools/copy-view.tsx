import type { VNode } from "preact";
import { routeTexts, toolTexts } from "../client/copy-as.ts";
import type { ServiceInfo, ToolInfo } from "../client/definition.ts";
import { useSession } from "../client/session.ts";
import { Copies } from "../parts/copies.tsx";

interface CopyProps {
  readonly service: ServiceInfo;
  readonly tool: ToolInfo;
  /** Request as JSON. */
  readonly text: string;
}

/** Shows a call in the forms in which it can be copied. */
export function CopyView({ service, tool, text }: CopyProps): VNode {
  const { kind, client, callPath } = useSession().backend;
  const url = location.origin + client.base;
  // A platform has neither `tenon call` nor MCP.
  const own = kind === "service" ? toolTexts(tool.name, text, url) : [];
  return <Copies texts={[...routeTexts(text, url + callPath(service, tool)), ...own]} />;
}
