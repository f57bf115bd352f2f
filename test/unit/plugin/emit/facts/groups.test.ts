import { expect, test } from "vitest";
import { circularNames, groupNames } from "../../../../../plugin/emit/facts/groups.ts";

const graph: Readonly<Record<string, readonly string[]>> = {
  a: ["b", "e"],
  b: ["c"],
  c: ["b", "d"],
  d: ["d"],
  e: ["missing"],
};
const refsOf = (name: string): readonly string[] => graph[name] ?? [];

test("a group comes after the groups that it refers to", () => {
  const groups = groupNames(Object.keys(graph), refsOf).map((group) => group.toSorted().join());
  expect(groups).toEqual(["d", "b,c", "missing", "e", "a"]);
});

test("names that lead back to themselves", () => {
  expect([...circularNames(groupNames(Object.keys(graph), refsOf), refsOf)].toSorted()).toEqual(["b", "c", "d"]);
});

test("a chain of 100,000 names needs no stack, and ten names that refer to all others are one group", () => {
  const next = (name: string): readonly string[] => [String(Number(name) + 1)].filter((one) => Number(one) < 100_000);
  expect(groupNames(["0"], next)).toHaveLength(100_000);
  const ten = [..."0123456789"];
  expect(groupNames(ten, (name) => ten.filter((one) => one !== name))).toEqual([ten]);
});
