import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { newJobId } from "../../runtime/web/console/base/new-ids.ts";
import { parseJson, toJson } from "../../runtime/web/console/base/json.ts";
import { typed } from "../../runtime/web/console/base/typed.ts";
import { NotesView } from "../../runtime/web/console/call/notes-view.tsx";
import { problemsOf } from "../../runtime/web/console/call/problems.ts";
import { StepsView } from "../../runtime/web/console/call/steps-view.tsx";
import { stepsOf } from "../../runtime/web/console/call/steps.ts";
import { ResultView } from "../../runtime/web/console/call/result-view.tsx";
import type { ToolInfo } from "../../runtime/web/console/client/definition.ts";
import { jumpTo } from "../../runtime/web/console/form/jump-to.ts";
import { StatusBadge } from "../../runtime/web/console/parts/badge.tsx";
import { Failure } from "../../runtime/web/console/parts/notice.tsx";
import { Tabs } from "../../runtime/web/console/parts/tabs.tsx";
import { firstRequest, RequestForm } from "../../runtime/web/console/tools/call-panel.tsx";
import { callInSandbox, type Outcome, type SandboxedCall } from "./sandbox.ts";

interface CallProps {
  readonly tool: ToolInfo;
  /** The visitor's module for the sandbox. */
  readonly script: string;
}

/** The form of a tool, as in the console; it calls the function in the sandbox. */
export function CallCard({ tool, script }: CallProps): VNode {
  const [text, setText] = useState(() => toJson(firstRequest(tool), true));
  const [running, setRunning] = useState<SandboxedCall | undefined>(undefined);
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined);
  const last = useRef<SandboxedCall | undefined>(undefined);
  useEffect(() => () => last.current?.stop(), []);
  const problems = useMemo(() => problemsOf(outcome?.answer), [outcome]);
  const call = async (): Promise<void> => {
    const made = callInSandbox({ script, name: tool.name, body: text, jobId: newJobId() });
    last.current = made;
    setRunning(made);
    setOutcome(await made.outcome);
    setRunning(undefined);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (running === undefined) void call();
  };
  return (
    <form aria-label={`Call ${tool.name}`} onSubmit={submit} noValidate>
      <Tabs
        label="Request"
        tabs={[
          {
            name: "Form",
            content: () => <RequestForm tool={tool} value={parseJson(text)} problems={problems} change={setText} />,
          },
          {
            name: "JSON",
            content: () => (
              <textarea
                class="json"
                rows={8}
                spellcheck={false}
                aria-label="Request as JSON"
                value={text}
                onInput={typed(setText)}
              />
            ),
          },
        ]}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={running !== undefined}>
          {running === undefined ? "Call" : "Running…"}
        </button>
        {running !== undefined && (
          <button type="button" onClick={() => running.stop()}>
            Stop
          </button>
        )}
      </div>
      {outcome !== undefined && <OutcomeView outcome={outcome} />}
    </form>
  );
}

function OutcomeView({ outcome: { answer, failure, events, notes } }: { readonly outcome: Outcome }): VNode {
  const steps = stepsOf(events);
  const times = events.map(({ at }) => at);
  return (
    <div class="outcome">
      {failure !== undefined && <Failure>{failure}</Failure>}
      {answer !== undefined && (
        <p class="line" role="status">
          <StatusBadge status={answer.status} />
        </p>
      )}
      {steps.length > 0 && <StepsView steps={steps} from={Math.min(...times)} to={Math.max(...times)} />}
      {answer !== undefined && <ResultView answer={answer} jump={jumpTo} />}
      <NotesView notes={notes} />
    </div>
  );
}
