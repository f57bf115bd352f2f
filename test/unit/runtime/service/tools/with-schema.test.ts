import { expect, test } from "vitest";
import { withSchema } from "../../../../../runtime/service/tools/with-schema.ts";

test("the class keeps its URN out of sight, with and without a decorator context", () => {
  class Point {
    x = 0;
  }
  withSchema("urn:example:schema.point.1")(Point);
  expect(Object.getOwnPropertyDescriptor(Point, Symbol.for("tenon.schema"))?.value).toBe("urn:example:schema.point.1");
  expect(Object.keys(Point)).toEqual([]);
  expect(JSON.stringify(new Point())).toBe('{"x":0}');
});
