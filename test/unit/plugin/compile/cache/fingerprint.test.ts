import { expect, test } from "vitest";
import { fingerprintOf } from "../../../../../plugin/compile/cache/fingerprint.ts";

test("options that shape results count, whatever their order; others do not", () => {
  const plain = fingerprintOf({});
  expect(fingerprintOf({ cache: true, service: "other.json" })).toBe(plain);
  const changed = [
    fingerprintOf({ namespace: "acme" }),
    fingerprintOf({ tsconfig: "tsconfig.app.json" }),
    fingerprintOf({ rules: { "missing-schema": "warn" } }),
    fingerprintOf({ rules: { "missing-schema": "off" } }),
  ];
  expect(new Set([plain, ...changed]).size).toBe(5);
  expect(fingerprintOf({ rules: { "missing-schema": "warn", "missing-text": "off" } })).toBe(
    fingerprintOf({ rules: { "missing-text": "off", "missing-schema": "warn" } }),
  );
});
