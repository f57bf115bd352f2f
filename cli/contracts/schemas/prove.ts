import type { JsonValue } from "../../../runtime/contract/contract.ts";
import type { Suspicion, Walk } from "./suspicion.ts";

/** A value that one of two contracts accepts and the other refuses. */
export interface Proof {
  readonly value: JsonValue;
  /** The refusal in the form that callers read. */
  readonly problem: string;
}

const mostTries = 600;

/**
 * Searches for a value that proves a suspicion: `a` accepts the whole value, and `b` refuses it at the suspected place.
 */
export function prove({ a, b }: Walk, { steps, candidates }: Suspicion): Proof | undefined {
  const place = steps.map(({ text }) => text);
  let tries = 0;
  for (const candidate of candidates()) {
    if (tries++ > mostTries) break;
    const value = steps.reduceRight((part: unknown, step) => step.fill(part), candidate);
    if (value === undefined) continue;
    if (b.accepts(b.root, value) || !a.accepts(a.root, value, true)) continue;
    const problem = b.problems(value).find(({ path }) => isAt(path, place));
    if (problem === undefined) continue;
    const at = problem.path === "" ? "" : `${problem.path}: `;
    return { value: value as JsonValue, problem: at + problem.message };
  }
  return undefined;
}

/** True when a problem is at a place, inside of it, or about a value that contains it. */
function isAt(path: string, place: readonly string[]): boolean {
  const steps = path.split("/").slice(1);
  return steps.every((step, index) => index >= place.length || place[index] === "*" || place[index] === step);
}
