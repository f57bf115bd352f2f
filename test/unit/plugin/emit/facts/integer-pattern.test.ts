import fc from "fast-check";
import { expect, test } from "vitest";
import { integerPattern } from "../../../../../plugin/emit/facts/integer-pattern.ts";

const bound = fc.option(fc.oneof(fc.bigInt({ min: -1200n, max: 1200n }), fc.constantFrom(0n, 1n, 9n, 10n, 99n, 100n)), {
  nil: undefined,
});

test("a pattern matches the texts of exactly the integers within its bounds", () => {
  fc.assert(
    fc.property(bound, bound, (minimum, maximum) => {
      fc.pre(minimum === undefined || maximum === undefined || minimum <= maximum);
      const pattern = new RegExp(integerPattern(minimum?.toString(), maximum?.toString()), "u");
      for (let value = -1300n; value <= 1300n; value += 1n) {
        const isWithin = (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
        if (pattern.test(String(value)) !== isWithin) throw new Error(`${value}: ${pattern}`);
      }
      for (const text of ["-0", "+1", "01", "-01", "1.0", "", " 1", "1e3"]) expect(pattern.test(text)).toBe(false);
    }),
    { numRuns: 60, seed: 20261122 },
  );
});

test("the bounds of sized integers are exact", () => {
  const unsigned = new RegExp(integerPattern("0", "18446744073709551615"), "u");
  expect(["0", "18446744073709551615", "9".repeat(19)].every((text) => unsigned.test(text))).toBe(true);
  expect(["-1", "18446744073709551616", "9".repeat(20)].some((text) => unsigned.test(text))).toBe(false);
  expect(integerPattern("1", undefined)).toBe("^(?:[1-9][0-9]{0,})$");
});
