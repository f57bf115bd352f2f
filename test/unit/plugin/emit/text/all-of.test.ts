import { expect, test } from "vitest";
import { allOf } from "../../../../../plugin/emit/text/all-of.ts";

test("tests are one chain, and thousands of them a chain of chains in brackets", () => {
  expect(allOf([])).toBe("");
  expect(allOf(["a", "b", "c"])).toBe("a&&b&&c");
  const tests = Array.from({ length: 4001 }, (_, index) => `t${index}`);
  const groups = [tests.slice(0, 2000), tests.slice(2000, 4000), tests.slice(4000)];
  expect(allOf(tests)).toBe(groups.map((group) => `(${group.join("&&")})`).join("&&"));
  expect(allOf(tests.slice(0, 2000))).toBe(tests.slice(0, 2000).join("&&"));
});
