import type { JsonSchema } from "../../../runtime/contract/contract.ts";
import type { TypeModel } from "../../model/type.ts";
import type { Definitions, Direction } from "../facts/type-facts.ts";

/** Context for the schema of one type. */
export interface SchemaContext {
  readonly definitions: Definitions;
  readonly direction: Direction;
  /** Key in `$defs` of each referenced definition, in order of first use. */
  readonly names: Map<string, string>;
  /** The values of `names`. */
  readonly keys: Set<string>;
  /** Cache of schemas by type: a type that occurs in several places has one schema object. */
  readonly made: Map<TypeModel, JsonSchema>;
}
