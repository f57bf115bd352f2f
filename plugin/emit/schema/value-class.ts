import { classKeyword } from "../../../runtime/contract/class-keyword.ts";
import type { ClassName } from "../../../runtime/contract/class-keyword.ts";
import type { JsonSchema } from "../../../runtime/contract/contract.ts";
import type { SchemaContext } from "./schema-context.ts";

/** Only results tell their classes: callers write requests with the one or the other, and models read their schemas. */
export function ofClass(name: ClassName, { direction }: SchemaContext): JsonSchema {
  return direction === "output" ? { [classKeyword]: name } : {};
}
