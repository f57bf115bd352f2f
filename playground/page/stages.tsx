import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { toJson, recordsIn } from "../../runtime/web/console/base/json.ts";
import { readTool, type ToolInfo } from "../../runtime/web/console/client/definition.ts";
import { Code } from "../../runtime/web/console/parts/code.tsx";
import { LongText } from "../../runtime/web/console/parts/long-text.tsx";
import { Remark } from "../../runtime/web/console/parts/notice.tsx";
import { Choice } from "../../runtime/web/console/parts/select.tsx";
import { type Tab, Tabs } from "../../runtime/web/console/parts/tabs.tsx";
import type { Compiled } from "../compiler/open-playground.ts";
import { CallCard } from "./call-card.tsx";
import { Findings } from "./findings.tsx";

interface StagesProps {
  readonly compiled: Compiled;
  /** Moves the cursor of the editor to a place. */
  readonly go: (line: number, column: number) => void;
}

/** Shows everything that tenon makes of the source. */
export function Stages({ compiled, go }: StagesProps): VNode {
  const { diagnostics, tools, service, openApi, module } = compiled;
  const findings = <Findings findings={diagnostics} go={go} />;
  // After an error its finding is shown in place of what could not be made.
  const reason = diagnostics.some(({ level }) => level === "error") ? findings : <NoTools />;
  const json = (value: unknown): VNode => (value === undefined ? reason : <LongText text={toJson(value, true)} />);
  const tabs: readonly Tab[] = [
    { name: "Call", content: () => (compiled.script === undefined ? reason : <Calls compiled={compiled} />) },
    { name: diagnostics.length === 0 ? "Findings" : `Findings (${diagnostics.length})`, content: () => findings },
    { name: "Schemas", content: () => <Schemas compiled={compiled} /> },
    { name: "MCP", content: () => json(tools.flatMap(({ mcp }) => mcp ?? [])) },
    {
      name: "OpenAPI",
      content: () =>
        service !== undefined && openApi === undefined ? <Remark>A batch service has none.</Remark> : json(openApi),
    },
    { name: "Code", content: () => <LongText text={module} /> },
    { name: "Definition", content: () => json(service) },
  ];
  return <Tabs label="Stage" tabs={tabs} />;
}

function Schemas({ compiled: { tools } }: { readonly compiled: Compiled }): VNode {
  if (tools.length === 0) return <NoTools />;
  return (
    <>
      {tools.map(({ definition: { name, request, result } }) => (
        <section aria-label={`Schemas of ${name}`}>
          <h2>{name}: request</h2>
          {request === undefined ? <Remark>None.</Remark> : <Code>{toJson(request.schema, true)}</Code>}
          <h2>{name}: result</h2>
          {result.schema === undefined ? <Remark>None.</Remark> : <Code>{toJson(result.schema, true)}</Code>}
        </section>
      ))}
    </>
  );
}

/** The form of one of the tools. */
function Calls({ compiled: { service, script = "" } }: { readonly compiled: Compiled }): VNode {
  const tools = recordsIn(service, "tools").map(readTool);
  const [chosen, setChosen] = useState("");
  const tool = tools.find(({ name }) => name === chosen) ?? tools[0];
  if (tool === undefined) return <NoTools />;
  return (
    <>
      {tools.length > 1 && (
        <Choice
          wiring={{ id: "tool", "aria-label": "Tool" }}
          value={tool.name}
          options={tools.map(({ name }) => [name, name] as const)}
          give={setChosen}
        />
      )}
      <p class="dim">{tool.description}</p>
      {/* Another request has another form. */}
      <CallCard key={formKey(tool)} tool={tool} script={script} />
    </>
  );
}

function formKey({ name, request, examples }: ToolInfo): string {
  return toJson([name, request ?? null, examples]);
}

function NoTools(): VNode {
  return (
    <Remark>
      There is no tool. Export a function whose comment has the tag <code>@tool</code>.
    </Remark>
  );
}
