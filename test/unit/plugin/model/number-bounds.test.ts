import { expect, test } from "vitest";
import { numberBounds } from "../../../../plugin/model/number-bounds.ts";

test("the bounds of a number are the narrower ones of its type and its author", () => {
  const most = Number.MAX_SAFE_INTEGER;
  expect(numberBounds({ kind: "number" })).toEqual({});
  expect(numberBounds({ kind: "number", minimum: 0 })).toEqual({ minimum: 0 });
  expect(numberBounds({ kind: "number", integer: "integer" })).toEqual({ minimum: -most, maximum: most });
  expect(numberBounds({ kind: "number", integer: "int64", maximum: 5 })).toEqual({ minimum: -most, maximum: 5 });
  expect(numberBounds({ kind: "number", integer: "int32", minimum: -3e9, maximum: 3e9 })).toEqual({
    minimum: -2_147_483_648,
    maximum: 2_147_483_647,
  });
  expect(numberBounds({ kind: "number", integer: "uint32", minimum: 1 })).toEqual({ minimum: 1, maximum: 4294967295 });
  expect(numberBounds({ kind: "number", integer: "uint64", minimum: -1 })).toEqual({ minimum: 0, maximum: most });
  const largest = 3.4028234663852886e38;
  expect(numberBounds({ kind: "number", float: true })).toEqual({ minimum: -largest, maximum: largest });
});
