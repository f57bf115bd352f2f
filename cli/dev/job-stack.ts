import { inspect } from "node:util";
import { stepCauseKey } from "../../runtime/contract/process-keys.ts";
import { type Frame, readStack, type StackPart, type StackPlace } from "./stack-frames.ts";

/** A thrown error, or one of those within it: its causes, and the errors of an AggregateError. */
export interface Thrown extends StackPart {
  /** Relation to the error that has it, in the words of the log; absent for the thrown error. */
  readonly as?: "Caused by" | "One of them";
  /** Number of errors that have it as one of several. */
  readonly depth: number;
}

/** Maximum number of errors that are read: the thrown one, its causes, and the errors of an AggregateError. */
const mostErrors = 10;
/** Maximum number of errors that are counted. */
const mostCounted = 1000;
/**
 * Reads a thrown value, and the errors within it in the order of the log: each of several with its causes, then the
 * cause of all. If they are too many, the last one says how many are left out.
 */
export function readThrown(thrown: unknown, place: StackPlace): readonly Thrown[] {
  // Errors that are causes of themselves are left out.
  const found = new Map<unknown, Relation>();
  const shown = new Set<string>();
  find(found, thrown, { depth: 0 });
  const read = [...found]
    .slice(0, mostErrors)
    .map(([one, relation]) => ({ ...relation, message: thrownMessage(one), frames: framesOf(one, place, shown) }));
  if (found.size <= mostErrors) return read;
  const more = `${found.size - mostErrors}${found.size < mostCounted ? "" : "+"}`;
  return [...read, { message: more === "1" ? "1 more error" : `${more} more errors`, depth: 0, frames: [] }];
}

type Relation = Pick<Thrown, "as" | "depth">;

function find(found: Map<unknown, Relation>, thrown: unknown, relation: Relation): void {
  if (found.has(thrown) || found.size === mostCounted) return;
  found.set(thrown, relation);
  const { several, cause } = innerOf(thrown);
  for (const one of several) find(found, one, { as: "One of them", depth: relation.depth + 1 });
  if (cause !== undefined) find(found, cause, { as: "Caused by", depth: relation.depth });
}

/** The text of a thrown value, with the name of an error; also of a value that throws when it is read. */
export function thrownMessage(thrown: unknown): string {
  try {
    if (typeof thrown === "string") return thrown;
    return thrown instanceof Error ? String(thrown) : inspect(thrown);
  } catch {
    return "[not printable]";
  }
}

function innerOf(thrown: unknown): { readonly several: readonly unknown[]; readonly cause?: unknown } {
  try {
    if (!(thrown instanceof Error)) return { several: [] };
    const error = thrown as Error & Readonly<Record<PropertyKey, unknown>>;
    const { errors, cause = error[stepCauseKey] } = error;
    return { several: Array.isArray(errors) ? errors : [], cause };
  } catch {
    return { several: [] };
  }
}

function framesOf(thrown: unknown, place: StackPlace, shown: Set<string>): readonly Frame[] {
  try {
    return thrown instanceof Error ? readStack(thrown.stack ?? "", place, shown) : [];
  } catch {
    return [];
  }
}
