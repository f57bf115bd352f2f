import type { PriorityDefinition } from "../../contract/contract.ts";
import { isObject } from "../../contract/validation/json-value.ts";
import type { Tool } from "../../service/tools/tool.ts";

/** A job that waits for a slot in this process. */
interface WaitingJob {
  readonly tool: Pick<Tool, "definition">;
  /** Parsed JSON, not validated. */
  readonly input: unknown;
}

/**
 * Returns the head start of a request in milliseconds: the largest of those whose condition is true, 0 if none is. A
 * field that is missing has no value.
 */
export function headStartOf(priorities: readonly PriorityDefinition[], input: unknown): number {
  let most = 0;
  for (const { seconds, when, is } of priorities) if (isValue(valueAt(when, input), is)) most = Math.max(most, seconds);
  return most * 1000;
}

/**
 * Yields jobs that wait in this process, the one whose turn is next first: each is placed as if it had arrived earlier
 * by its head start. The caller removes a job from the queue before it takes the next one.
 *
 * @param waiting Jobs in order of arrival, with their times of arrival in milliseconds
 */
export function* byHeadStart<Job extends WaitingJob>(waiting: ReadonlyMap<Job, number>): Generator<Job> {
  for (;;) {
    let next: Job | undefined;
    let best = Infinity;
    for (const [job, since] of waiting) {
      const place = since - headStartOf(job.tool.definition.priorities ?? [], job.input);
      if (place >= best) continue;
      next = job;
      best = place;
    }
    if (next === undefined) return;
    yield next;
  }
}

/** Returns the value of a field such as `request.plan.name`; undefined if it is missing. */
export function valueAt(path: string, input: unknown): unknown {
  let value = input;
  for (const name of path.split(".").slice(1))
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Compares a value with that of a condition. Tools that accept texts for other values get them as texts. */
function isValue(value: unknown, is: PriorityDefinition["is"]): boolean {
  if (value === is) return true;
  if (typeof value !== "string" || typeof is === "string" || value.trim() === "") return false;
  return typeof is === "number" ? Number(value) === is : value === String(is);
}
