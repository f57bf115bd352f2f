import { ToolError } from "../../base/errors.ts";
import { jobTries, type KeptParts, type StepFailure, type StoredStep } from "./kept-step.ts";

/** Everything that a job has stored and received, in the form that `callTool` of `tenon/testing` takes. */
export interface JobHistory {
  /** Results of steps, sleeps and waits, by their keys. */
  readonly kept: Readonly<Record<string, unknown>>;
  /** Failures of steps that have used up their attempts, and of waits that have timed out, by key. */
  readonly failed: Readonly<Record<string, StepFailure>>;
  /** The first message of each name. */
  readonly messages: Readonly<Record<string, unknown>>;
  /** Steps in the order in which they began. */
  readonly steps: readonly StepEntry[];
}

interface StepEntry {
  readonly step: string;
  readonly state: StoredStep["state"];
  readonly attempt: number;
  /** Number of tries that have failed. */
  readonly tries: number;
  readonly started: string;
  readonly ended?: string;
}

export function historyOf({ steps, messages }: KeptParts): JobHistory {
  const own = inOrder(steps);
  const done = own.filter(({ state }) => state === "done");
  return {
    kept: Object.fromEntries(done.map(({ key, value }) => [key, parsed(value)])),
    failed: Object.fromEntries(
      own.flatMap(({ key, state, error }) => (state === "failed" && error ? [[key, error]] : [])),
    ),
    messages: Object.fromEntries(messages.toReversed().map(({ name, body }) => [name, parsed(body)])),
    steps: own.map(({ key, state, attempt, tries, startedAt, endedAt }) => ({
      step: key,
      state,
      attempt,
      tries,
      started: new Date(startedAt).toISOString(),
      ...(endedAt !== undefined && { ended: new Date(endedAt).toISOString() }),
    })),
  };
}

/**
 * Returns the keys of the results with which a new run of a job begins: all of them, or those that existed before a
 * step began.
 *
 * @param from Name of a step, or `name[key]`; of several steps with the same name, the first one counts
 */
export function keysBefore({ steps }: KeptParts, from: string | undefined): readonly string[] {
  const own = inOrder(steps);
  const done = own.filter(({ state }) => state === "done");
  if (from === undefined) return done.map(({ key }) => key);
  const start = own.find(({ key }) => key === from || key.startsWith(`${from}[`));
  if (start === undefined) {
    const names = own.map(({ key }) => key).join(", ");
    const text = `The job has no step ${JSON.stringify(from.slice(0, 250))}. It has kept: ${names.slice(0, 1000)}.`;
    throw new ToolError("bad-request", text);
  }
  const { startedAt } = start;
  // A step of the same millisecond runs again, too: nothing tells which of the two came first.
  return done
    .filter((step) => (step.endedAt ?? Infinity) <= startedAt && step.startedAt < startedAt)
    .map(({ key }) => key);
}

function inOrder(steps: readonly StoredStep[]): readonly StoredStep[] {
  return steps.filter(({ key }) => key !== jobTries).toSorted((one, other) => one.startedAt - other.startedAt);
}

/** Returns undefined for text that is not JSON, since another program may have written it. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
