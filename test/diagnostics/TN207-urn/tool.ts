import { type WithSchema, withSchema } from "tenon";

/** @schema not-a-urn */
export interface Request {
  /** The name. */
  name: string;
}
/** @schema */
export interface Empty {
  a: string;
}
export interface Loose {
  $schema: string;
  a: string;
}
const urn = "urn:example:schema.x.1";
@withSchema(urn)
export class Decorated {
  /** A. */
  a = "";
}

/** One. @tool */
export function one(request: Request): Empty {
  return { a: request.name };
}
/** Two. @tool */
export function two(request: Decorated): Loose {
  return { $schema: "", a: request.a };
}
/** Three. @tool @schema urn:x @param a A. */
export function three(a: string): WithSchema<"wrong", { a: string }> {
  return { a };
}
