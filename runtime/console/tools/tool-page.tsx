import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { CallState } from "../call/run-call.ts";
import type { ServiceInfo, ToolInfo } from "../client/definition.ts";
import { Markdown } from "../parts/markdown.tsx";
import { useSession } from "../client/session.ts";
import { CallPanel } from "./call-panel.tsx";
import { Outcome } from "./outcome.tsx";
import { SchemaView } from "./schema-view.tsx";
import { Card, Columns } from "../parts/card.tsx";

/** A tool: the author's words, a form to call it, and what came of it. */
export function ToolPage({ service, tool }: { readonly service: ServiceInfo; readonly tool: ToolInfo }): VNode {
  const { backend } = useSession();
  const [state, setState] = useState<CallState | undefined>(undefined);
  const hints = Object.entries(tool.annotations).filter(([, value]) => value);
  return (
    <article class="tool">
      <header>
        <a class="back" href="#/tools">
          ‹ Tools
        </a>
        <h1>{tool.title ?? tool.name}</h1>
        <p class="route">
          <span class="verb">POST</span> <code>{backend.callPath(service, tool)}</code>
          {tool.title !== undefined && <code class="dim">{tool.name}</code>}
        </p>
        <Markdown text={tool.description} />
        <p class="badges">
          {hints.map(([name]) => (
            <span class="badge">{name.replace(/Hint$/, "")}</span>
          ))}
          {tool.scopes.map((scope) => (
            <span class="badge scope">scope {scope}</span>
          ))}
        </p>
      </header>
      <Columns>
        <CallPanel service={service} tool={tool} state={state} tell={setState} />
        <Card title="Answer">
          {state === undefined ? <p class="dim">What the tool answers is shown here.</p> : <Outcome state={state} />}
        </Card>
      </Columns>
      <section class="columns">
        <SchemaCard title="Request" schema={tool.request} empty="It takes no request." />
        <SchemaCard title="Result" schema={tool.result} empty="It tells no schema of its result." />
      </section>
    </article>
  );
}

function SchemaCard({
  title,
  schema,
  empty,
}: {
  readonly title: string;
  readonly schema: ToolInfo["request"];
  readonly empty: string;
}): VNode {
  return (
    <section class="card" aria-label={`${title} schema`}>
      <h2>{title}</h2>
      {schema === undefined ? <p class="dim">{empty}</p> : <SchemaView schema={schema} root={schema} />}
    </section>
  );
}
