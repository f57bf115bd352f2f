import { expect, test } from "vitest";
import {
  matchUri,
  parseUriTemplate,
  templateVariables,
} from "../../../../../runtime/contract/definition/uri-template.ts";
import { processorTime } from "../../../../support/processor-time.ts";

test.each([
  ["notes://all", "notes://all", {}],
  ["notes://all", "notes://all/", undefined],
  ["notes://{id}", "notes://7", { id: "7" }],
  ["notes://{id}", "notes://a%2Fb", { id: "a/b" }],
  ["notes://{id}", "notes://a/b", undefined],
  ["notes://{id}", "notes://", undefined],
  ["notes://{id}", "notes://%E0%A4%A", undefined],
  ["notes://{a}.{b}", "notes://x.y", { a: "x", b: "y" }],
  ["notes://{a}.{b}", "notes://x.y.z", { a: "x.y", b: "z" }],
  ["notes://{a}.{b}", "notes://x.", undefined],
  ["notes://{a}{b}", "notes://xyz", { a: "xy", b: "z" }],
  ["notes://{a}{b}", "notes://x", undefined],
  ["{a}-{b}-{c}/end", "1-2-3-4/end", { a: "1-2", b: "3", c: "4" }],
  ["{a}-{b}-{c}/end", "1-2/3-4/end", undefined],
  ["{a}/{+b}", "x/y/z", { a: "x", b: "y/z" }],
  ["{+a}/{b}", "x/y/z", { a: "x/y", b: "z" }],
  ["{+a}/{+b}.md", "x/y/z.md", { a: "x/y", b: "z" }],
  ["{+a}", "x\ny", { a: "x\ny" }],
  ["file:///{+path}", "file:///a/b.txt", { path: "a/b.txt" }],
  ["notes://{id}{?limit,from}", "notes://7?from=2&other=3", { id: "7", from: "2" }],
  ["notes://{id}{?limit}", "notes://7", { id: "7" }],
  ["a+b://(x)|[y]", "a+b://(x)|[y]", {}],
])("%s and %s", (template, uri, values) => {
  expect(matchUri(parseUriTemplate(template) ?? [], uri)).toEqual(values);
});

test.each([
  "notes://{",
  "notes://}",
  "notes://{a b}",
  "notes://{id*}",
  "notes://{#id}",
  "notes://{a}/{a}",
  "notes://{a,b}",
  "notes://{}",
])("%s is no template that can be used", (template) => {
  expect(parseUriTemplate(template)).toBeUndefined();
});

test("a value called like a member of objects is only a value", () => {
  const parts = parseUriTemplate("notes://{constructor}") ?? [];
  expect(templateVariables(parts)).toEqual(["constructor"]);
  expect(matchUri(parts, "notes://x")).toEqual({ constructor: "x" });
});

test("a long address costs one pass for each part", () => {
  const before = processorTime();
  for (const template of ["log://{a}-{b}-{c}/entries", "log://{+a}-{+b}-{+c}.md", "log://{a}{b}{c}/"])
    expect(matchUri(parseUriTemplate(template) ?? [], `log://${"-".repeat(2_000)}`)).toBeUndefined();
  expect(processorTime() - before).toBeLessThan(1000);
});
