import { expect, test } from "vitest";
import { isAtLeast, oldestNode, packageVersion } from "../../../../cli/base/version.ts";

test.each([
  ["22.19.0", "22.19", true],
  ["22.20.1", "22.19", true],
  ["24.0.0", "22.19", true],
  ["22.18.9", "22.19", false],
  ["20.20.2", "22.19", false],
  ["9.99.0", "22.19", false],
])("Node %s is %s or later: %s", (version, oldest, expected) => {
  expect(isAtLeast(version, oldest)).toBe(expected);
});

test("the package tells its version, and a version of Node that is not later than this one", () => {
  expect(packageVersion()).toMatch(/^\d+\.\d+\.\d+/);
  expect(oldestNode()).toMatch(/^\d+\.\d+$/);
  expect(isAtLeast(process.versions.node, oldestNode())).toBe(true);
});
