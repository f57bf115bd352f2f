import { withSchema, type WithSchema } from "tenon";

/** By tag. @schema urn:example:schema.tag.1 */
export interface Tagged {
  a: string;
}
/** By tag, on an alias of an object. @schema urn:example:schema.alias.1 */
export type Aliased = { b: string };
/** By tag, on a new name of an interface. @schema urn:example:schema.renamed.1 */
export type Renamed = Tagged;
export type Wrapped = WithSchema<"urn:example:schema.wrapped.1", { c: string }>;
@withSchema("urn:example:schema.class.1")
export class Decorated {
  d = "";
}
export interface Written {
  $schema: "urn:example:schema.written.1";
  e: string;
}

/** One. @tool */
export function one(request: Tagged): Aliased {
  return { b: request.a };
}
/** Two. @tool */
export function two(request: Renamed): Wrapped {
  return { c: request.a };
}
/** Three. @tool */
export function three(request: Decorated): Written {
  return { $schema: "urn:example:schema.written.1", e: request.d };
}
/** Four. @tool */
export function four(request: WithSchema<"urn:example:schema.four.1", Tagged>): WithSchema<"urn:example:schema.list.1", string>[] {
  return [request.a];
}
/** Five. @tool */
export function five(request: WithSchema<"urn:example:schema.five.1", Omit<Tagged, "a">>): { readonly [key: string]: Written | Wrapped }[] {
  void request;
  return [];
}
