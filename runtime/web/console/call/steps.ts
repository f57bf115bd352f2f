import { asRecord, asText } from "../base/json.ts";
import { kindOf, type JobEvent } from "../client/backend.ts";

/** A step of a job, made from its events. */
export interface Step {
  readonly name: string;
  /** Name with the key of a durable step; undefined for an attempt. */
  readonly key?: string;
  /** Number of the event with which a step began. */
  readonly number?: number;
  /** Set for entries of the timeline that are not steps. */
  readonly kind?: "attempt" | "request" | "span" | "wait" | "message";
  /** True if the job can run again from this step. */
  readonly isStart?: boolean;
  /** The whole text of which the name is a part. */
  readonly title?: string;
  /** Nesting depth: the number of steps around this step. */
  readonly depth: number;
  /** Start in milliseconds since 1970. */
  readonly from: number;
  /** End in milliseconds since 1970; undefined while the step runs. */
  to?: number | undefined;
  /**
   * `stopped`: the job has ended before the step, for example by a cancellation. `waiting`: for a time, a message or a
   * worker.
   */
  state: "running" | "waiting" | "done" | "failed" | "stopped";
  message: string | undefined;
  /** Progress from 0 to 100, if the tool reports it. */
  progress?: number | undefined;
}

/**
 * Makes the steps of a job from its events, in the order in which they began.
 *
 * @param reason Sentence, or its beginning, with which the job was cancelled; the steps that it ended have it too
 */
export function stepsOf(events: readonly JobEvent[], reason?: string): readonly Step[] {
  const steps: Step[] = [];
  const open: Step[] = [];
  for (const event of events) {
    if (event.type !== "platform.job.event") continue;
    const { data, at } = event;
    const name = asText(data["name"]) ?? asText(data["context"]) ?? "";
    const options = asRecord(data["options"]);
    const message = asText(options["message"]) ?? asText(data["error"]);
    const kind = kindOf(event);
    if (kind === "start") {
      const key = options["key"] ? `${name}[${String(options["key"])}]` : name;
      const tries = options["try"] ? `try ${String(options["try"])}` : message;
      const { number } = event;
      const step: Step = { name, key, number, depth: open.length, from: at, state: "running", message: tries };
      steps.push(step);
      open.push(step);
      continue;
    }
    const step = open.findLast((candidate) => candidate.name === name);
    if (step === undefined) continue;
    if (message !== undefined) step.message = message;
    if (kind === "finish" || kind === "error") {
      step.to = at;
      step.state = kind === "finish" ? "done" : reason && message?.startsWith(reason) ? "stopped" : "failed";
      open.splice(open.indexOf(step), 1);
    } else step.progress = progressIn(options) ?? step.progress;
  }
  return steps;
}

function progressIn(options: Readonly<Record<string, unknown>>): number | undefined {
  const { progress, percent } = options;
  const value = typeof progress === "number" ? progress : percent;
  return typeof value === "number" && value >= 0 && value <= 100 ? value : undefined;
}
