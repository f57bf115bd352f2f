import type { Definitions, Direction } from "./type-facts.ts";

/** What the schema of one type needs around it. */
export interface SchemaContext {
  readonly definitions: Definitions;
  readonly direction: Direction;
  /** Key in `$defs` of each referenced definition, in order of first use. */
  readonly names: Map<string, string>;
}
