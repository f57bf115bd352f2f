import type { VNode } from "preact";
import { recordIn, textIn, type Json } from "../base/json.ts";
import { Card } from "../parts/card.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Notice, Remark } from "../parts/notice.tsx";
import type { Connection } from "./use-mcp.ts";

interface ServerProps {
  readonly connection: Connection;
  /** True if the address names something that the service does not offer. */
  readonly isMissing: boolean;
}

/** Shows how the service describes itself. */
export function Server({ connection, isMissing }: ServerProps): VNode {
  const { instructions = "", ...server } = connection.server ?? {};
  return (
    <>
      <header>
        <h1>Over MCP</h1>
        {isMissing && <Notice>The service does not offer that.</Notice>}
        <Remark>This page is a host of the service: what it calls goes through its MCP endpoint.</Remark>
      </header>
      {connection.server !== undefined && (
        <Card title={textIn(recordIn(server, "serverInfo"), "name") ?? "Server"}>
          <Markdown text={String(instructions)} />
          <JsonTree value={server as Json} open={1} />
        </Card>
      )}
    </>
  );
}
