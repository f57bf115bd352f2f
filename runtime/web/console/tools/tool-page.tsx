import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { NotesView, useNotes, withCause, withHidden } from "../call/notes.ts";
import { jumpTo } from "../form/jump-to.ts";
import { kindOf } from "../client/backend.ts";
import type { Answer } from "../client/calls.ts";
import { messageOf } from "../client/client.ts";
import type { ServiceInfo, ToolInfo } from "../client/definition.ts";
import { makeCall, type CallState, type MadeCall } from "../client/made-call.ts";
import { createStore } from "../base/store.ts";
import { useStore } from "../base/use-store.ts";
import { Markdown } from "../parts/markdown.tsx";
import { draftKey, useSession } from "../client/session.ts";
import { CallPanel } from "./call-panel.tsx";
import { SchemaView } from "./schema-view.tsx";
import { Remark, Failure } from "../parts/notice.tsx";
import { Card, Columns } from "../parts/card.tsx";
import { formatDuration } from "../base/format.ts";
import { linkTo } from "../base/route.ts";
import { shortId } from "../base/ids.ts";
import { ResultView } from "../call/result-view.tsx";
import { StepsView } from "../call/shown-steps.ts";
import { stepsOf } from "../call/steps.ts";
import { StateBadge, StatusBadge } from "../parts/badge.tsx";
import { later } from "../parts/later.tsx";
import { SpokenState } from "./spoken-state.tsx";

const LiveState = later(async () => (await import("../call/live-state.tsx")).LiveState);

interface ToolPageProps {
  readonly service: ServiceInfo;
  readonly tool: ToolInfo;
  /** Request in the link that led here; empty if there is none. */
  readonly filled: string;
}

const notCalled = createStore<CallState | undefined>(undefined);

/** Shows a tool: its description, a form to call it, and the result. */
export function ToolPage({ service, tool, filled }: ToolPageProps): VNode {
  const session = useSession();
  const { backend, made } = session;
  const key = draftKey(service.key, tool.name);
  const [last, setLast] = useState<MadeCall | undefined>(made.get(key));
  const state = useStore<CallState | undefined>(last?.state ?? notCalled);
  const call = (body: string): void => {
    const next = makeCall(session, { service, tool, body }, last);
    made.set(key, next);
    setLast(next);
  };
  useEffect(() => last?.follow(), [last]);
  const box = useRef<HTMLElement>(null);
  const atFirst = useRef(state);
  useEffect(() => {
    const top = state === atFirst.current ? 0 : (box.current?.getBoundingClientRect().top ?? 0);
    if (top < 0 || top > innerHeight / 2) box.current?.scrollIntoView();
  }, [state?.call, state?.answer]);
  const hints = Object.entries(tool.annotations).filter(([, value]) => value);
  return (
    <article class="tool">
      <header>
        <a class="back" href="#/tools">
          ‹ Tools
        </a>
        <h1>{tool.title ?? tool.name}</h1>
        <p class="route">
          <span class="verb">POST</span> <code>{backend.client.base + backend.callPath(service, tool)}</code>
          {tool.title !== undefined && <code class="dim">{tool.name}</code>}
        </p>
        {tool.outdated !== undefined && (
          <div class="notice warn">
            <strong>Deprecated</strong> <Markdown text={tool.outdated} />
          </div>
        )}
        <Markdown text={tool.description} />
        <p class="badges">
          {hints.map(([name]) => (
            <span class={`badge ${name}`}>{wordsOf(name)}</span>
          ))}
          {tool.scopes.map((scope) => (
            <span class="badge scope">scope {scope}</span>
          ))}
        </p>
      </header>
      <Columns as="call">
        <CallPanel service={service} tool={tool} state={state} call={call} filled={filled} />
        <Card title="Answer" box={box}>
          <SpokenState state={state} />
          {state === undefined ? (
            <Remark>Its answer is shown here.</Remark>
          ) : (
            <Outcome state={state} before={last?.before} />
          )}
        </Card>
      </Columns>
      {/* The form says the same of the request. */}
      <Card title="Result schema">
        {tool.result === undefined ? <Remark>Its result has no schema.</Remark> : <SchemaView schema={tool.result} />}
      </Card>
    </article>
  );
}

/** Converts the name of a hint to words: `readOnlyHint` to `read only`. */
function wordsOf(hint: string): string {
  return hint.replace("Hint", "").replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
}

interface OutcomeProps {
  readonly state: CallState;
  readonly before: Answer | undefined;
}

/** Outcome of a call: live steps while it runs, then status, duration, ids and the result. */
function Outcome({ state, before }: OutcomeProps): VNode {
  const { call, answer, events, took, failure, startedAt, isAccepted } = state;
  const failed = (answer?.status ?? 0) >= 400 || events.some((event) => kindOf(event) === "error");
  const notes = useNotes(call.jobId, failed ? answer : undefined);
  const steps = stepsOf(withHidden(events, notes), answer?.status === 409 ? messageOf(answer.text ?? "") : undefined);
  const from = Math.min(startedAt, ...events.slice(0, 1).map(({ at }) => at));
  return (
    <div class="outcome">
      <p class="line">
        {answer !== undefined ? (
          <StatusBadge status={answer.status} />
        ) : isAccepted && failure === undefined ? (
          <LiveState job={call.jobId} />
        ) : (
          <StateBadge state={failure === undefined ? "pending" : "error"} />
        )}
        {took !== undefined && <span>{formatDuration(took)}</span>}
        {(answer === undefined || answer.status < 400 || answer.headers.some(([name]) => name === "job-id")) && (
          <a class="mono" href={linkTo("jobs", call.jobId)}>
            job {shortId(call.jobId)}
          </a>
        )}
        <span class="dim mono" title="trace id">
          trace {call.traceparent.slice(3, 35)}
        </span>
      </p>
      {failure !== undefined && <Failure>{failure}</Failure>}
      {steps.length > 0 && (
        <StepsView steps={steps} from={from} to={took === undefined ? undefined : startedAt + took} />
      )}
      {answer !== undefined && (
        <ResultView answer={withCause(answer, notes)} schema={call.tool.result} before={before} jump={jumpTo} />
      )}
      {notes && <NotesView notes={notes} />}
    </div>
  );
}
