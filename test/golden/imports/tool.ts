import type Point, { type Named as Renamed } from "./other.ts";
import * as all from "./other.ts";
import { through } from "./other.ts";

/** @schema urn:example:schema.imports.1 */
export interface Request {
  point: Point;
  renamed: Renamed;
  qualified: all.Named;
  nested: all.Inner.Deep;
  inline: import("./other.ts").Named;
  value: typeof all.value;
  key: keyof typeof all.table;
  entry: (typeof all.table)[keyof typeof all.table];
}

/** Takes imports. @tool */
export function take(request: Request): ReturnType<typeof through> {
  return through(request.value.a);
}
