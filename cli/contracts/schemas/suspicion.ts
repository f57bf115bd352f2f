import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import type { SchemaRule } from "./schema-rules.ts";
import type { Side } from "./side.ts";

/** A step from a structure into one of its parts. */
export interface Step {
  /** Key or index; `*` for any element, or any undeclared key. */
  readonly text: string;
  /** Schema URN that the enclosing object has in both schemas. */
  readonly urn?: string;
  /** Makes a value of the structure that contains the given part; undefined when that is not possible. */
  readonly fill: (part: unknown) => unknown;
}

/** A place where one schema may accept a value that the other refuses. It becomes a finding if a value proves it. */
export interface Suspicion {
  readonly rule: SchemaRule;
  readonly steps: readonly Step[];
  /** The accepting and the refusing schema, in the author's words. */
  readonly accepted: string;
  readonly refused: string;
  /** True if the accepting schema declares the key in question. */
  readonly isKnown?: boolean;
  /** Schema URN that the object at the place itself has in both schemas. */
  readonly urn?: string;
  /** Candidate values at this place that may prove the suspicion, simplest first. */
  readonly candidates: () => Iterable<unknown>;
}

/** One comparison: everything that `a` accepts, `b` should accept. */
export interface Walk {
  readonly a: Side;
  readonly b: Side;
  /** Suspicions about a pair of parts, relative to it. */
  compare(a: FullSchema, b: FullSchema): readonly Suspicion[];
  /** Values that a part of `a` accepts, first those that a part of `b` accepts as well. */
  values(a: FullSchema, b: FullSchema | undefined): readonly unknown[];
}

/** Suspicions about a part, relative to the enclosing structure. */
export function within(step: Step, found: readonly Suspicion[]): readonly Suspicion[] {
  return found.map((one) => ({ ...one, steps: [step, ...one.steps] }));
}
