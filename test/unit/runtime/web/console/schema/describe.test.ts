import { expect, test } from "vitest";
import { describeLimits } from "../../../../../../runtime/web/console/schema/describe.ts";

test("the generated pattern of bytes is no help, an author's pattern is", () => {
  const pattern = "^[A-Z]+$";
  expect(describeLimits({ type: "string", contentEncoding: "base64", pattern })).toEqual([]);
  expect(describeLimits({ type: "string", pattern })).toEqual(["/^[A-Z]+$/"]);
});

test("bounds that the type has anyway are no help, an author's are", () => {
  const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number;
  expect(describeLimits({ type: "integer", format: "int64", minimum, maximum })).toEqual([]);
  expect(describeLimits({ type: "integer", format: "uint32", minimum: 1, maximum: 4_294_967_295 })).toEqual(["≥ 1"]);
  const prefixItems = [{ type: "number" }, { type: "number" }];
  expect(describeLimits({ type: "array", prefixItems, minItems: 2, items: false })).toEqual([]);
  expect(describeLimits({ type: "array", prefixItems, minItems: 1 })).toEqual(["≥ 1 items"]);
  expect(describeLimits({ type: "array", minItems: 2 })).toEqual(["≥ 2 items"]);
});
