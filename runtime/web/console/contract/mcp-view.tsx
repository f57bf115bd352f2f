import type { VNode } from "preact";
import { asText, type Json, toJson } from "../base/json.ts";
import { useStore } from "../base/use-store.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { useSession } from "../client/session.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import { loadMcpLists, type McpItems } from "./mcp-list.ts";
import { Dim, Notice, Progress, Remark } from "../parts/notice.tsx";

/** A remark about a tool that some hosts refuse or truncate. */
interface HostRemark {
  readonly tool: string;
  readonly text: string;
}

/** Average number of characters per token of a language model, for JSON. */
const charactersPerToken = 3.6;
/** Number of tools above which some hosts warn or leave tools out. */
const manyTools = 128;

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

/** Estimates the tokens of a model's context that a text takes: `1,234`. */
function tokensOf(value: unknown): string {
  return Math.ceil(toJson(value).length / charactersPerToken).toLocaleString("en");
}

/** Remarks about tools as a host sees them. */
function remarksOf(tools: readonly Readonly<Record<string, unknown>>[]): readonly HostRemark[] {
  const all: HostRemark[] = [];
  if (tools.length > manyTools) {
    all.push({ tool: "all", text: `${tools.length} tools: some hosts take no more than ${manyTools}.` });
  }
  for (const tool of tools) {
    const name = asText(tool["name"]) ?? "";
    const say = (text: string): void => void all.push({ tool: name, text });
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) say("Some hosts take only names of 1 to 64 letters, digits, _ and -.");
    const input = toJson(tool["inputSchema"]);
    if (input.includes('"$ref"')) say("The request contains itself; some hosts support no $ref.");
    if (input.includes('"patternProperties"')) say("Some hosts support no patternProperties.");
    const length = (asText(tool["description"]) ?? "").length;
    if (length > 1024) say(`The description has ${length} characters; some hosts cut it at 1024.`);
  }
  return all;
}
