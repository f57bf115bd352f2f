import type { AdoptContext } from "../base/context.ts";
import type { Followed } from "../base/follow.ts";
import type { Shape } from "../base/shape.ts";

/** Reads the schemas of a service: converts an expression to the shape of the values that the schema accepts. */
export interface ZodReading {
  readonly context: AdoptContext;
  /** Reads a schema. An expression that cannot be read becomes `unknown`, and is reported. */
  readonly read: (from: Followed) => Shape;
}
