import type { JsonSchema } from "../../../runtime/contract/contract.ts";
import type { TypeModel } from "../../model/type.ts";
import type { Definitions, Direction } from "../facts/type-facts.ts";
import { classKeyword, type ClassName } from "../../../runtime/contract/class-keyword.ts";

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

/**
 * Adds the TypeScript class of a value to its schema, in results only. Requests do not need it: callers may send either
 * the class or its JSON form, and models read these schemas.
 */
export function ofClass(name: ClassName, { direction }: SchemaContext): JsonSchema {
  return direction === "output" ? { [classKeyword]: name } : {};
}
