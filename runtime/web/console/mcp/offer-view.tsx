import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ctrlEnter } from "../base/ctrl-enter.ts";
import { formatDuration } from "../base/format.ts";
import { errorText } from "../base/use-loaded.ts";
import { asRecord, isRecord, parseJson, recordIn, textIn, toJson, type Json } from "../base/json.ts";
import { linkTo } from "../base/route.ts";
import { useStore } from "../base/use-store.ts";
import { throttle } from "../base/throttle.ts";
import { typed } from "../base/typed.ts";
import { problemsIn } from "../call/problems.ts";
import type { FieldProps } from "../form/field-props.ts";
import { Input } from "../form/input.tsx";
import { Card, Columns } from "../parts/card.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { later } from "../parts/later.tsx";
import { Failure, Remark } from "../parts/notice.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { Outcome } from "../client/outcome.ts";
import { draftKey, useDraft, useSession } from "../client/session.ts";
import { sampleOf } from "../schema/sample.ts";
import type { Host } from "./host.ts";
import { McpResult } from "./mcp-result.tsx";
import type { Listed, Offer } from "./offer.ts";
import type { JsonObject } from "./wire.ts";

export interface OfferViewProps<O extends Listed = Offer> {
  /** Name of the view of the revision. */
  readonly view: string;
  readonly host: Host;
  readonly offer: O;
}

const CompletedInput = later(async () => (await import("./completed-input.tsx")).CompletedInput);
const AppView = later(async () => (await import("./app-view.tsx")).AppView);
const QuestionForm = later(async () => (await import("./question-form.tsx")).QuestionForm);
const Subscription = later(async () => (await import("./subscription.tsx")).Subscription);

/** Maximum number of notifications of a call that are shown; the log has all of them. */
const mostLines = 100;

/** Shows a tool, a prompt or a resource: its description, a form for a request, and the result. */
export function OfferView({ view, host, offer }: OfferViewProps): VNode {
  const { schema, title, name, kind, description, method, ref, whole } = offer;
  const first = (): string => toJson(schema === undefined ? {} : sampleOf(schema, schema), true);
  const [text, setText] = useDraft(draftKey(kind, name), first);
  const { outcomes } = useSession();
  const key = draftKey(`${view}/${kind}`, name);
  const [state, setState] = useState(outcomes.get(key));
  const questions = useStore(host.wire.questions);
  const stop = useRef(new AbortController());
  const box = useRef<HTMLElement>(null);
  useEffect(() => () => stop.current.abort("It was cancelled, since you left it or connected again."), [host]);
  const atFirst = useRef(state);
  useEffect(() => {
    const top = state === atFirst.current ? 0 : (box.current?.getBoundingClientRect().top ?? 0);
    if (top < 0 || top > innerHeight / 2) box.current?.scrollIntoView();
  }, [state?.isRunning, questions.length]);
  const problems = useMemo(() => problemsIn(recordIn(state?.refusal, "platform/problem")), [state?.refusal]);
  const ArgumentInput = useMemo(
    () => (ref === undefined ? Input : (props: FieldProps) => <CompletedInput {...props} host={host} of={ref} />),
    [host],
  );
  const value = parseJson(text);
  const isFit = isRecord(value);
  const isRunning = state?.isRunning === true;
  const call = async (): Promise<void> => {
    const args = asRecord(value);
    const stopping = new AbortController();
    stop.current = stopping;
    const began = performance.now();
    const { signal } = stopping;
    let outcome: Outcome = { isRunning: true, args, lines: [] };
    const change = (more: Partial<Outcome>): void => {
      // The answer to a call that was cancelled comes too late.
      if (!outcome.isRunning) return;
      outcome = { ...outcome, ...more };
      outcomes.set(key, outcome);
      setState(outcome);
    };
    const lines: string[] = [];
    const telling = throttle(() => change({ lines: lines.slice() }));
    const end = (more: Partial<Outcome>): void =>
      change({ ...more, lines: lines.slice(), isRunning: false, took: performance.now() - began });
    const tell = (line: string): void => {
      if (lines.push(line) > mostLines) lines.shift();
      telling.soon();
    };
    change({});
    signal.addEventListener("abort", () => end({ failure: signal.reason as string }));
    try {
      const result = await host.request({ method, params: offer.params(args), signal, tell });
      end({ result, refusal: result["_meta"] });
    } catch (error) {
      end({ failure: errorText(error), refusal: (error as Error).cause });
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isRunning && isFit) void call();
  };
  const said = questions[0]
    ? `The service asks: ${textIn(questions[0].params, "message") ?? ""}`
    : isRunning
      ? "Running."
      : state && `Ended with ${isBad(state) ? "an error" : "a result"}.`;
  const form = (): VNode => {
    if (schema === undefined) return <Remark>It takes no arguments.</Remark>;
    if (!isFit) return <p class="problem">The arguments are not a JSON object. Correct them in the JSON tab.</p>;
    const shared = { schema, root: schema, value, path: [], problems, input: ArgumentInput };
    return <Input {...shared} give={(next) => setText(toJson(next, true))} />;
  };
  return (
    <article class="tool">
      <header>
        <a class="back" href={linkTo(view)}>
          ‹ MCP
        </a>
        <h1>{title}</h1>
        <p class="route">
          <span class="verb">{method}</span> <code>{name}</code>
        </p>
        <Markdown text={description} />
      </header>
      <Columns as="call">
        <form class="card" aria-label={`${kind}: ${title}`} onSubmit={submit} onKeyDown={ctrlEnter(submit)} noValidate>
          <h2>Request</h2>
          <Tabs
            label="Request"
            tabs={[
              { name: "Form", content: form },
              { name: "JSON", content: () => <JsonText text={text} give={setText} /> },
              { name: "Description", content: () => <JsonTree value={whole as Json} open={2} /> },
            ]}
          />
          <div class="actions">
            <button type="submit" class="primary" aria-disabled={isRunning || !isFit}>
              {isRunning ? "Running…" : kind === "Tools" ? "Call" : kind === "Prompts" ? "Get" : "Read"}
            </button>
            {isRunning && (
              <button type="button" onClick={() => stop.current.abort("You cancelled it.")}>
                Cancel
              </button>
            )}
            {method === "resources/read" && host.subscribe && (
              <Subscription
                subscribe={host.subscribe}
                uri={String(offer.params(asRecord(value))["uri"])}
                changed={() => void call()}
              />
            )}
            {schema && <Quiet press={() => setText(first())}>Reset</Quiet>}
            <span class="dim keys">Ctrl + Enter</span>
          </div>
        </form>
        <Card title="Answer" box={box}>
          <p class="unseen" role="status">
            {said}
          </p>
          {questions.map((question) => (
            <QuestionForm key={question.number} question={question} />
          ))}
          {state === undefined ? (
            <Remark>Its answer is shown here.</Remark>
          ) : (
            <OutcomeView state={state} host={host} tool={whole} />
          )}
        </Card>
      </Columns>
    </article>
  );
}

function isBad({ failure, result }: Outcome): boolean {
  return failure !== undefined || result?.["isError"] === true;
}

function JsonText({ text, give }: { readonly text: string; readonly give: (text: string) => void }): VNode {
  return (
    <textarea
      class="json"
      rows={14}
      spellcheck={false}
      aria-label="Arguments as JSON"
      value={text}
      onInput={typed(give)}
    />
  );
}

interface OutcomeProps {
  readonly state: Outcome;
  readonly host: Host;
  /** Description of the tool, the prompt or the resource. */
  readonly tool: JsonObject;
}

function OutcomeView({ state, host, tool }: OutcomeProps): VNode {
  const { isRunning, args, lines, took, result, failure } = state;
  const uri = textIn(recordIn(recordIn(tool, "_meta"), "ui"), "resourceUri");
  const hasFailed = isBad(state);
  return (
    <div class="outcome">
      <p class="line">
        <span class={`badge ${isRunning ? "executing" : hasFailed ? "error" : "succeeded"}`}>
          {isRunning ? "running" : failure !== undefined ? "error" : hasFailed ? "isError" : "result"}
        </span>
        {took !== undefined && <span>{formatDuration(took)}</span>}
      </p>
      {failure !== undefined && <Failure>{failure}</Failure>}
      {lines.length > 0 && (
        <details class="notes" open={isRunning}>
          <summary>
            {lines.length} notifications, the last one: {lines.at(-1)}
          </summary>
          <ol aria-label="Notifications">
            {lines.map((line) => (
              <li>{line}</li>
            ))}
          </ol>
        </details>
      )}
      {result !== undefined && (
        <McpResult
          result={result}
          schema={recordIn(tool, "outputSchema")}
          view={
            uri === undefined
              ? undefined
              : () => <AppView host={host} tool={tool} uri={uri} args={args} result={result} />
          }
        />
      )}
    </div>
  );
}
