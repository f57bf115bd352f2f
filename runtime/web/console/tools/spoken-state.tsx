import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { formatDuration } from "../base/format.ts";
import { useNow } from "../base/use-now.ts";
import { stepsOf } from "../call/steps.ts";
import type { CallState } from "../client/made-call.ts";

/** Milliseconds between two sentences about a call that runs: a reader says each to its end. */
const every = 5000;

/** Says to screen readers in words that a call runs, at times its step, and how it ended; an alert says why. */
export function SpokenState({ state }: { readonly state: CallState | undefined }): VNode {
  const { answer, failure, took, call } = state ?? {};
  const isRunning = state !== undefined && answer === undefined && failure === undefined;
  const turn = useNow(isRunning ? every : 0);
  const said = useMemo(() => {
    if (state === undefined) return "";
    if (isRunning) {
      const step = stepsOf(state.events).findLast(({ to }) => to === undefined);
      return `Running${step === undefined ? "" : `: ${step.name}`}.`;
    }
    const how = answer === undefined ? "without an answer" : answer.status < 400 ? "with a result" : "with an error";
    return `Ended ${how} after ${formatDuration(took ?? 0)}.`;
  }, [call, isRunning, turn]);
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  );
}
