import type { AdoptContext } from "../base/context.ts";
import type { Followed } from "../base/follow.ts";
import type { Shape } from "../base/shape.ts";

/** Reads the schemas of a service: gets an expression, returns the shape of the values that it accepts. */
export interface ZodReading {
  readonly context: AdoptContext;
  /** Reads a part of a schema. An unknown expression becomes `unknown`, and is named as not carried over. */
  readonly read: (from: Followed) => Shape;
}
