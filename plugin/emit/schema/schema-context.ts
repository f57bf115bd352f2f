import type { Definitions, Direction } from "../facts/type-facts.ts";

/** Context for the schema of one type. */
export interface SchemaContext {
  readonly definitions: Definitions;
  readonly direction: Direction;
  /** Key in `$defs` of each referenced definition, in order of first use. */
  readonly names: Map<string, string>;
  /** The values of `names`. */
  readonly keys: Set<string>;
}
