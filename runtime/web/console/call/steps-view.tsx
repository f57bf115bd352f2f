import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../base/format.ts";
import { useNow } from "../base/use-now.ts";
import { Dim } from "../parts/notice.tsx";
import { More, Quiet } from "../parts/quiet-button.tsx";
import { isCall, shownOf } from "./shown-rows.ts";
import type { Step } from "./steps.ts";

const signs = { running: "●", waiting: "○", done: "✓", failed: "✕", stopped: "–" } as const;

/** Number of rows that are shown at first: a job may have thousands of steps. */
const mostSteps = 100;

export interface StepsProps {
  readonly steps: readonly Step[];
  /** Time at which the job began, and time at which it ended, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number | undefined;
  /** Runs the job again from a step with `isStart`. */
  readonly again?: ((key: string) => void) | undefined;
}

/** Shows the steps of a job on a timeline, live while the job runs. */
export function StepsView({ steps, from, to, again }: StepsProps): VNode {
  const [most, setMost] = useState(mostSteps);
  const shown = shownOf(steps, most);
  const left = steps.filter((step) => !shown.has(step));
  const of = left.every(isCall) ? "earlier requests" : "earlier steps";
  const now = useNow(to === undefined ? 100 : 0);
  const end = steps.reduce((last, step) => Math.max(last, step.to ?? step.from), Math.max(to ?? now, from + 1));
  const share = (time: number): number => Math.min(100, Math.max(0, ((time - from) / (end - from)) * 100));
  const tick = (quarter: number): string => formatDuration(((end - from) * quarter) / 4);
  return (
    <ol class="steps" aria-label="Steps">
      {steps[0]?.kind && (
        <li class="axis" aria-hidden="true">
          {[0, 1, 2, 3, 4].map((quarter) => (
            <span>{quarter > 0 && tick(quarter) === tick(quarter - 1) ? "" : tick(quarter)}</span>
          ))}
        </li>
      )}
      {steps.map((step, index) => {
        if (step === left[0])
          return (
            <li>
              <More left={left.length} of={of} press={() => setMost(most + mostSteps * 5)} />
            </li>
          );
        if (!shown.has(step)) return null;
        const until = step.to ?? to ?? now;
        // A job that is cancelled does not end its steps.
        const state = step.to === undefined && to !== undefined ? "stopped" : step.state;
        const width = Math.max(0.5, share(until) - share(step.from));
        return (
          <li key={index} class={`${state} ${step.kind ?? ""}`} style={{ "--depth": Math.min(step.depth, 6) }}>
            <span class="step-name" title={step.title}>
              <span class="sign" aria-hidden="true">
                {signs[state]}
              </span>{" "}
              {(step.key ?? step.name) || <Dim>(no name)</Dim>}
              <span class="unseen"> {state}</span>
            </span>
            <span class="bar" aria-hidden="true">
              <i
                style={{
                  left: `${share(step.from)}%`,
                  width: `${width}%`,
                  filter: state === "stopped" ? "grayscale(1)" : "",
                }}
              />
            </span>
            <span class="time">{formatDuration(Math.max(0, until - step.from))}</span>
            <span class="message">
              {step.message}
              {again && step.isStart && (
                <Quiet label={`Run again from here: ${step.key}`} press={() => again(step.key ?? "")}>
                  Run again from here
                </Quiet>
              )}
              {step.progress !== undefined && state === "running" && (
                <progress max={100} value={step.progress} aria-label={`Progress of ${step.name}`} />
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
