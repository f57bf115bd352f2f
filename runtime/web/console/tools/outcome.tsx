import type { VNode } from "preact";
import { formatDuration } from "../base/format.ts";
import { linkTo } from "../base/route.ts";
import { ResultView } from "../call/result-view.tsx";
import type { CallState } from "../call/run-call.ts";
import { stepsOf } from "../call/steps.ts";
import { StepsView } from "../call/steps-view.tsx";
import { StateBadge, StatusBadge } from "../parts/badge.tsx";
import { Failure } from "../parts/notice.tsx";

/** Outcome of a call: live steps while it runs, then status, duration, ids and the result. */
export function Outcome({ state }: { readonly state: CallState }): VNode {
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
