import type { VNode } from "preact";
import { asText } from "../base/json.ts";
import type { Json } from "../base/json.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import type { McpLists } from "./mcp-list.ts";
import { remarksOf, tokensOf } from "./portability.ts";
import { Dim } from "../parts/notice.tsx";

/** View of an MCP host: tools with what they cost of a model's context, remarks, prompts and resources. */
export function McpView({ lists: { tools, prompts, resources } }: { readonly lists: McpLists }): VNode {
  const remarks = remarksOf(tools);
  return (
    <div>
      <p>
        {tools.length} tools take about <strong>{tokensOf(tools).toLocaleString("en")} tokens</strong> of a model's
        context.
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
        <p class="dim">Every host that we know takes them as they are.</p>
      )}
      <List title="Tools" items={tools} />
      <List title="Prompts" items={prompts} />
      <List title="Resources" items={resources} />
    </div>
  );
}

function List({ title, items }: { readonly title: string; readonly items: McpLists["tools"] }): VNode {
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
