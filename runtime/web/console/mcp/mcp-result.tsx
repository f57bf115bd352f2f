import type { ComponentChildren, VNode } from "preact";
import { recordIn, recordsIn, type Json } from "../base/json.ts";
import { ContentView } from "../call/contents.ts";
import { ResultTree } from "../call/result-tree.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Tabs, type Tab } from "../parts/tabs.tsx";
import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "./wire.ts";

interface McpResultProps {
  readonly result: JsonObject;
  /** Schema of the data; empty if there is none. */
  readonly schema: Schema;
  /** Shows the tool's own view of the result; undefined for a tool without one. */
  readonly view?: (() => VNode) | undefined;
}

/** Shows the result of a call, a prompt or a resource: its contents, its data, and the whole result. */
export function McpResult({ result, schema, view }: McpResultProps): VNode {
  const messages = recordsIn(result, "messages").map((message) => ({
    ...recordIn(message, "content"),
    role: message["role"],
  }));
  const blocks = [...recordsIn(result, "content"), ...messages, ...recordsIn(result, "contents")];
  const { structuredContent: data } = result;
  const tabs: Tab[] = [];
  const add = (name: string, content: () => ComponentChildren): void => void tabs.push({ name, content });
  if (data !== undefined) add("Data", () => <ResultTree value={data as Json} schema={schema} />);
  if (blocks.length > 0) add("Contents", () => <ContentView blocks={blocks} />);
  if (view !== undefined) add("View", view);
  add("Message", () => <JsonTree value={result as Json} open={3} />);
  return <Tabs label="Result" tabs={tabs} />;
}
