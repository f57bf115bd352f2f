import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { ctrlEnter } from "../base/ctrl-enter.ts";
import { isRecord, parseJson, readableJson, toJson, type Json } from "../base/json.ts";
import { typed } from "../base/typed.ts";
import { problemsOf } from "../call/problems.ts";
import type { ServiceInfo, ToolInfo } from "../client/definition.ts";
import type { CallState } from "../client/made-call.ts";
import { openForm } from "../form/jump-to.ts";
import { Input } from "../form/input.tsx";
import { later } from "../parts/later.tsx";
import { Remark } from "../parts/notice.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { linkTo } from "../base/route.ts";
import { sampleOf } from "../schema/sample.ts";
import { draftKey, useDraft, useSession } from "../client/session.ts";
import { Quiet } from "../parts/quiet-button.tsx";

const CopyView = later(async () => (await import("./copy-view.tsx")).CopyView);
const SavedView = later(async () => (await import("./saved-view.tsx")).SavedView);

interface CallPanelProps {
  readonly service: ServiceInfo;
  readonly tool: ToolInfo;
  /** State of the last call. */
  readonly state: CallState | undefined;
  /** Calls the tool. */
  readonly call: (body: string) => void;
  /** Request in the link that led here; empty if there is none. */
  readonly filled: string;
}

/** The request of a tool as a form and as JSON, and the button that sends it. */
export function CallPanel({ service, tool, state, call, filled }: CallPanelProps): VNode {
  const { backend } = useSession();
  const draft = draftKey(service.key, tool.name);
  const first = (): string => toJson(firstRequest(tool), true);
  const [text, change] = useDraft(draft, first, readableJson(filled));
  const value = parseJson(text);
  const isRunning = state !== undefined && state.answer === undefined && state.failure === undefined;
  const problems = useMemo(() => problemsOf(state?.answer), [state?.answer]);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isRunning) call(text);
  };
  const use = (next: string): void => {
    change(next);
    openForm();
  };
  const linkOf = (body: string): string =>
    location.href.split("#", 1)[0] + linkTo("tools", service.key, tool.name, body);
  return (
    <form class="card" aria-label={`Call ${tool.name}`} onSubmit={submit} onKeyDown={ctrlEnter(submit)} noValidate>
      <h2>Request</h2>
      <Tabs
        label="Request"
        tabs={[
          {
            name: "Form",
            content: () => <RequestForm tool={tool} value={value} problems={problems} change={change} />,
          },
          {
            name: "JSON",
            content: () => (
              <textarea
                class="json"
                rows={14}
                spellcheck={false}
                aria-label="Request as JSON"
                value={text}
                onInput={typed(change)}
              />
            ),
          },
          { name: "Copy as", content: () => <CopyView service={service} tool={tool} text={text} /> },
          {
            name: "Saved",
            content: () => <SavedView draft={draft} value={value} use={use} link={linkOf} />,
          },
        ]}
      />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isRunning}>
          {isRunning ? "Running…" : state === undefined ? "Call" : "Call again"}
        </button>
        {isRunning && (
          <button type="button" onClick={() => void backend.cancel(state.call.jobId).catch(() => {})}>
            Cancel
          </button>
        )}
        <Quiet press={() => change(first())}>Reset</Quiet>
        <span class="dim keys">Ctrl + Enter</span>
      </div>
    </form>
  );
}

interface RequestFormProps {
  readonly tool: ToolInfo;
  readonly value: Json | undefined;
  readonly problems: ReadonlyMap<string, string>;
  readonly change: (text: string) => void;
}

/** Shows the request of a tool as a form. */
export function RequestForm({ tool, value, problems, change }: RequestFormProps): VNode {
  if (tool.request === undefined) return <Remark>The tool takes no request.</Remark>;
  if (!isRecord(value)) return <p class="problem">The request is not a JSON object. Correct it in the JSON tab.</p>;
  return (
    <Input
      schema={tool.request}
      root={tool.request}
      value={value}
      path={[]}
      give={(next) => change(toJson(next, true))}
      problems={problems}
      input={Input}
    />
  );
}

/** Returns the author's example, else a request made from the schema. */
export function firstRequest({ examples, request }: ToolInfo): Json {
  const [example] = examples;
  return example ?? (request === undefined ? {} : sampleOf(request, request));
}
