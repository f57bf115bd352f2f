import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { CallState } from "../call/run-call.ts";
import type { ServiceInfo, ToolInfo } from "../client/definition.ts";
import { Markdown } from "../parts/markdown.tsx";
import { useSession } from "../client/session.ts";
import { CallPanel } from "./call-panel.tsx";
import { SchemaView } from "./schema-view.tsx";
import { Remark, Failure } from "../parts/notice.tsx";
import { Card, Columns } from "../parts/card.tsx";
import { formatDuration } from "../base/format.ts";
import { linkTo } from "../base/route.ts";
import { ResultView } from "../call/result-view.tsx";
import { stepsOf } from "../call/steps.ts";
import { StepsView } from "../call/steps-view.tsx";
import { StateBadge, StatusBadge } from "../parts/badge.tsx";

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
          {state === undefined ? <Remark>Its answer is shown here.</Remark> : <Outcome state={state} />}
        </Card>
      </Columns>
      <Columns>
        <SchemaCard title="Request schema" schema={tool.request} empty="It takes no request." />
        <SchemaCard title="Result schema" schema={tool.result} empty="Its result has no schema." />
      </Columns>
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
    <Card title={title}>
      {schema === undefined ? <Remark>{empty}</Remark> : <SchemaView schema={schema} root={schema} />}
    </Card>
  );
}

/** Outcome of a call: live steps while it runs, then status, duration, ids and the result. */
function Outcome({ state }: { readonly state: CallState }): VNode {
  const { call, answer, events, took, failure, startedAt } = state;
  const steps = stepsOf(events);
  const from = Math.min(startedAt, ...events.slice(0, 1).map(({ at }) => at));
  return (
    <div class="outcome">
      <p class="line" role="status">
        {answer === undefined ? (
          <StateBadge state={failure === undefined ? "executing" : "error"} />
        ) : (
          <StatusBadge status={answer.status} />
        )}
        {took !== undefined && <span>{formatDuration(took)}</span>}
        <a class="mono" href={linkTo("jobs", call.jobId)}>
          job {call.jobId.slice(-8)}
        </a>
        <span class="dim mono" title="trace id">
          trace {call.traceparent.slice(3, 35)}
        </span>
      </p>
      {failure !== undefined && <Failure>{failure}</Failure>}
      {steps.length > 0 && (
        <StepsView steps={steps} from={from} to={took === undefined ? undefined : startedAt + took} />
      )}
      {answer !== undefined && <ResultView answer={answer} />}
    </div>
  );
}
