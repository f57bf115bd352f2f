import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { completeLockfile } from "../scripts/complete-lockfile.ts";

const lockfile = readFileSync("package-lock.json", "utf8");

test("the lock file has every platform's packages (`node scripts/complete-lockfile.ts`)", () => {
  expect(completeLockfile(lockfile) === lockfile).toBe(true);
});

test("the lock file names no registry", () => {
  expect(lockfile.match(/"resolved": "[a-z+]+:/g)).toBeNull();
});
