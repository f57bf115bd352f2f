import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import type { SchemaRule } from "./schema-rules.ts";
import type { Side } from "./side.ts";

/** A step from a structure into one of its parts. */
export interface Step {
  /** Key or index of the part; `*` for any element, or any undeclared key. */
  readonly text: string;
  /** Schema URN that the enclosing object has in both schemas. */
  readonly urn?: string;
  /** Makes a value of the structure that contains the given part; undefined when that is not possible. */
  readonly fill: (part: unknown) => unknown;
}

/**
 * A place where one schema may accept a value that the other refuses. A suspicion becomes a finding if a value proves
 * it.
 */
export interface Suspicion {
  readonly rule: SchemaRule;
  readonly steps: readonly Step[];
  /** Names of the accepting and the refusing schema, in the author's words. */
  readonly accepted: string;
  readonly refused: string;
  /** True if the accepting schema declares the key in question. */
  readonly isKnown?: boolean;
  /** Schema URN that the object at the place itself has in both schemas. */
  readonly urn?: string;
  /** Candidate values at this place that may prove the suspicion, simplest first. */
  readonly candidates: () => Iterable<unknown>;
}

/** One comparison of two schemas: `b` should accept everything that `a` accepts. */
export interface Walk {
  readonly a: Side;
  readonly b: Side;
  /** Compares two parts of the schemas; returns suspicions with positions relative to these parts. */
  compare(a: FullSchema, b: FullSchema): readonly Suspicion[];
  /** Generates values that the schema part `a` accepts; values that the part `b` accepts as well come first. */
  values(a: FullSchema, b: FullSchema | undefined): readonly unknown[];
}

/**
 * Prefixes suspicions about a part with the step to this part, so that they are relative to the enclosing structure.
 */
export function within(step: Step, found: readonly Suspicion[]): readonly Suspicion[] {
  return found.map((one) => ({ ...one, steps: [step, ...one.steps] }));
}
