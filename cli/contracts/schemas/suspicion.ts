import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import type { SchemaRule } from "./schema-rules.ts";
import type { Side } from "./side.ts";

/** A way from a structure into one of its parts. */
export interface Step {
  /** Key or index; `*` for any element, or any undeclared key. */
  readonly text: string;
  /** Schema URN that the object around has in both schemas. */
  readonly urn?: string;
  /** A value of the structure with the given part; undefined when none is known. */
  readonly fill: (part: unknown) => unknown;
}

/** A place where one schema may accept what the other refuses. It becomes a finding once a value proves it. */
export interface Suspicion {
  readonly rule: SchemaRule;
  readonly steps: readonly Step[];
  /** The accepting and the refusing schema, in the author's words. */
  readonly accepted: string;
  readonly refused: string;
  /** The accepting schema declares the key that this is about. */
  readonly isKnown?: boolean;
  /** Schema URN that the object at the place itself has in both schemas. */
  readonly urn?: string;
  /** Values of the place that may prove it, simple ones first. */
  readonly candidates: () => Iterable<unknown>;
}

/** One comparison: everything that `a` accepts, `b` should accept. */
export interface Walk {
  readonly a: Side;
  readonly b: Side;
  /** Suspicions about a pair of parts, relative to it. */
  compare(a: FullSchema, b: FullSchema): readonly Suspicion[];
  /** Values that a part of `a` accepts, those first that a part of `b` accepts as well. */
  values(a: FullSchema, b: FullSchema | undefined): readonly unknown[];
}

/** Suspicions about a part, seen from the structure around it. */
export function within(step: Step, found: readonly Suspicion[]): readonly Suspicion[] {
  return found.map((one) => ({ ...one, steps: [step, ...one.steps] }));
}
