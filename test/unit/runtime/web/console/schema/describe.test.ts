import { expect, test } from "vitest";
import { describeLimits } from "../../../../../../runtime/web/console/schema/describe.ts";

test("the generated pattern of bytes is no help, an author's pattern is", () => {
  const pattern = "^[A-Z]+$";
  expect(describeLimits({ type: "string", contentEncoding: "base64", pattern })).toEqual([]);
  expect(describeLimits({ type: "string", pattern })).toEqual(["/^[A-Z]+$/"]);
});
