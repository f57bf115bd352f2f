import { afterEach, beforeEach, expect, test } from "vitest";
import type { ToolDefinition, ToolFunctions } from "../../../../../runtime/contract/contract.ts";
import { lambdas, platformLambda } from "../../../../../runtime/service/tools/platform-lambda.ts";
import { clearRegistry, defineTool } from "../../../../../runtime/service/tools/registry.ts";
import { resolveTools } from "../../../../../runtime/service/tools/resolve-tools.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

function clear(): void {
  clearRegistry();
  lambdas().length = 0;
}
beforeEach(clear);
afterEach(clear);

function define(name: string, definition: Partial<ToolDefinition> = {}, functions: Partial<ToolFunctions> = {}): void {
  const made = fakeTool(() => 0, { name, definition: { source: `src/${name}.ts:1`, ...definition }, functions });
  defineTool(made.definition, made.functions);
}

test("an only tool is at /tool, several have their names, and a chosen path counts", () => {
  define("one");
  expect(resolveTools().map(({ path }) => path)).toEqual(["/tool"]);
  define("two", { path: "/v1/two" });
  define("three", { options: { path: "/three" } });
  expect(resolveTools().map(({ path }) => path)).toEqual(["/tool/one", "/v1/two", "/three"]);
});

test("options: literal ones of the definition, then those that were given to the function", () => {
  const author = (): number => 1;
  expect(platformLambda(author, { maxWaitTime: 1, tags: ["a"] })).toBe(author);
  define("one", { options: { maxWaitTime: 2, strict: true } }, { author });
  expect(resolveTools()[0]?.options).toEqual({ maxWaitTime: 1, tags: ["a"], strict: true });
});

test("a wait has at most a day, and numbers that are none are refused", () => {
  const author = (): number => 1;
  platformLambda(author, { maxWaitTime: Infinity });
  define("one", {}, { author });
  expect(resolveTools()[0]?.options).toEqual({ maxWaitTime: 86_400 });
  for (const [options, text] of [
    [{ maxWaitTime: NaN }, "The tool one: maxWaitTime is NaN; give a number from 0."],
    [{ refreshInterval: -1 }, "The tool one: refreshInterval is -1; give a number from 0."],
    [{ executorOpts: { queueSize: NaN } }, "The tool one: queueSize is NaN; give a number from 0."],
  ] as const) {
    lambdas().length = 0;
    platformLambda(author, options);
    expect(() => resolveTools()).toThrow(expect.objectContaining({ name: "StartError", message: text }));
  }
});

const refused: readonly [string, string][] = [
  ["/jobs", "which is one of the service's own"],
  ["/queue", "which is one of the service's own"],
  ["/metrics", "which is one of the service's own"],
  ["/jobs/x", "which is one of the service's own"],
  ["/healthz", "which is one of the service's own"],
  ["/mcp", "which is one of the service's own"],
  ["/a/:id", "which is not a plain path"],
  ["/a*", "which is not a plain path"],
  ["/a//b", "which is not a plain path"],
  ["/a/", "which is not a plain path"],
  ["/a?b", "which is not a plain path"],
  ["/ä", "which is not a plain path"],
];
for (const [path, reason] of refused) {
  test(`path ${path} is refused`, () => {
    define("one", { path });
    expect(() => resolveTools()).toThrow(
      expect.objectContaining({
        name: "StartError",
        message: `The tool one has the path ${path}, ${reason}. Choose another (@path), for example /one.`,
      }),
    );
  });
}

test("a tool at /tool answers on /tool/<name> as well, unless that is the path of another", () => {
  define("one", {});
  expect(resolveTools()).toMatchObject([{ path: "/tool", alias: "/tool/one" }]);
  define("two", { path: "/tool" });
  expect(resolveTools().map(({ path, alias }) => [path, alias])).toEqual([
    ["/tool/one", undefined],
    ["/tool", "/tool/two"],
  ]);
  define("three", { path: "/tool/two" });
  expect(resolveTools().map(({ alias }) => alias)).toEqual([undefined, undefined, undefined]);
});

test("the root, and percent-encoding as it is sent, are paths", () => {
  define("one", { path: "/" });
  define("two", { path: "/b%C3%BCcher/x.y~z" });
  expect(resolveTools().map(({ path }) => path)).toEqual(["/", "/b%C3%BCcher/x.y~z"]);
});

test("two tools with one path", () => {
  define("one", { path: "/x" });
  define("two", { path: "/x" });
  expect(() => resolveTools()).toThrow("The tools one and two have the same path /x. Change one (@path).");
});
