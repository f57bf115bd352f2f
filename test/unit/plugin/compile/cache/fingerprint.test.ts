import { join } from "node:path";
import { expect, test } from "vitest";
import { chosenTsconfig, fingerprintOf } from "../../../../../plugin/compile/cache/fingerprint.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

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

test("the nearest tsconfig is named relative to the project, beside the folder where projects of a solution are chosen", () => {
  const root = temporaryFolder({ "tsconfig.json": "{}", "b/tsconfig.json": '{ "references": [] }', "b/c/d.ts": "" });
  const named = (file: string, options = {}): string => chosenTsconfig(root, join(root, file), options);
  expect(named("service.ts")).toBe(named("src/service.ts"));
  expect(named("service.ts")).not.toContain(root);
  expect(named("b/c/d.ts")).not.toBe(named("b/d.ts"));
  expect(named("b/c/d.ts")).not.toBe(named("service.ts"));
  expect(named("b/c/d.ts", { tsconfig: "tsconfig.json" })).toBe(named("service.ts"));
});
