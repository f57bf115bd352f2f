import type { JsonLiteral, ObjectType } from "../../model/type.ts";
import { isObject } from "../../../runtime/contract/validation/json-value.ts";
import type { TypeContext } from "../base/type-context.ts";
import { misfit } from "../constraints/misfit.ts";

/** Explains why a request in a comment is not legal for its tool; undefined if it is. */
export function requestMisfit(
  context: TypeContext,
  request: ObjectType | undefined,
  value: JsonLiteral,
): string | undefined {
  if (!isObject(value)) return "a request is an object";
  if (request === undefined) return Object.keys(value).length === 0 ? undefined : "the tool takes no data";
  return misfit(request, value, context.definitions);
}
