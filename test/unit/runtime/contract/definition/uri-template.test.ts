import { expect, test } from "vitest";
import {
  matchUri,
  parseUriTemplate,
  templateVariables,
} from "../../../../../runtime/contract/definition/uri-template.ts";

test.each([
  ["notes://all", "notes://all", {}],
  ["notes://all", "notes://all/", undefined],
  ["notes://{id}", "notes://7", { id: "7" }],
  ["notes://{id}", "notes://a%2Fb", { id: "a/b" }],
  ["notes://{id}", "notes://a/b", undefined],
  ["notes://{id}", "notes://", undefined],
  ["notes://{id}", "notes://%E0%A4%A", undefined],
  ["notes://{a}.{b}", "notes://x.y", { a: "x", b: "y" }],
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
