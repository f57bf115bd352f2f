import type { VNode } from "preact";
import { asText, type Json } from "../base/json.ts";
import { useStore } from "../base/store.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { useSession } from "../client/session.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import { loadMcpLists, type McpItems } from "./mcp-list.ts";
import { remarksOf, tokensOf } from "./portability.ts";
import { Dim, Notice, Progress, Remark } from "../parts/notice.tsx";

/**
 * Shows a service as an MCP host sees it: tools with their size in a model's context, remarks, prompts and resources.
 */
export function McpView({ instructions = "" }: { readonly instructions: string | undefined }): VNode {
  const { client } = useSession().backend;
  const lists = useLoaded(() => loadMcpLists(client), [client, useStore(client.epoch)]);
  if (lists.value === undefined) return <Progress of={lists} />;
  const { tools, prompts, resources } = lists.value;
  if (tools === undefined) return <Notice>This service does not serve MCP over HTTP. Start it with --with-mcp.</Notice>;
  const remarks = remarksOf(tools);
  return (
    <div>
      <p>
        {tools.length} tools take about <strong>{tokensOf(tools)} tokens</strong> of a model's context; the instructions
        take {tokensOf(instructions)}.
      </p>
      {remarks.length > 0 ? (
        <ul class="problems">
          {remarks.map(({ tool, text }) => (
            <li>
              <code>{tool}</code> {text}
            </li>
          ))}
        </ul>
      ) : (
        <Remark>Every host that we know takes them as they are.</Remark>
      )}
      <List title="Tools" items={tools} />
      <List title="Prompts" items={prompts} />
      <List title="Resources" items={resources} />
    </div>
  );
}

function List({ title, items }: { readonly title: string; readonly items: McpItems }): VNode {
  return (
    <>
      <h3>
        {title} <Dim>{items.length}</Dim>
      </h3>
      <ul class="events">
        {items.map((item) => (
          <li>
            <details>
              <summary>
                <code>{asText(item["name"]) ?? asText(item["uri"])}</code> <Dim>about {tokensOf(item)} tokens</Dim>
              </summary>
              <JsonTree value={item as Json} open={2} />
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}
