import { classKeyword } from "../../../runtime/contract/class-keyword.ts";
import type { ClassName } from "../../../runtime/contract/class-keyword.ts";
import type { JsonSchema } from "../../../runtime/contract/contract.ts";
import type { SchemaContext } from "./schema-context.ts";

/**
 * Adds the TypeScript class of a value to its schema, in results only. Requests do not need it: callers may send either
 * the class or its JSON form, and models read these schemas.
 */
export function ofClass(name: ClassName, { direction }: SchemaContext): JsonSchema {
  return direction === "output" ? { [classKeyword]: name } : {};
}
