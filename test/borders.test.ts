import { existsSync, globSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { forbidden } from "../scripts/borders/rules.ts";
import { findKnots } from "../scripts/borders/find-knots.ts";

interface Side {
  readonly path?: string;
  readonly pathNot?: string;
}

/** Names of the linter's rules that forbid one file to import another. */
function rulesAgainst(from: string, to: string): readonly string[] {
  const matches = (file: string, { path, pathNot }: Side): boolean =>
    path !== undefined && new RegExp(path).test(file) && (pathNot === undefined || !new RegExp(pathNot).test(file));
  const rules = forbidden as readonly { readonly name: string; readonly from: Side; readonly to: Side }[];
  return rules.filter((rule) => matches(from, rule.from) && matches(to, rule.to)).map(({ name }) => name);
}

describe("an import against the order of the rooms breaks a rule", () => {
  test.each([
    ["runtime/contract/contract.ts", "runtime/start/start.ts"],
    ["runtime/job/job.ts", "runtime/executor/executor.ts"],
    ["runtime/fronts/rest/app.ts", "runtime/fronts/mcp/service-port.ts"],
    ["runtime/fronts/mcp/plain/engine.ts", "runtime/fronts/mcp/sdk/sdk-server.ts"],
    ["runtime/executor/executor.ts", "runtime/kits/testing/index.ts"],
    ["plugin/emit/validator/validator.ts", "plugin/compile/compile.ts"],
    ["plugin/read/base/reading.ts", "plugin/read/open-project.ts"],
    ["cli/local-platform/jobs/job-queue.ts", "cli/local-platform/start-local-platform.ts"],
    ["runtime/base/errors.ts", "plugin/model/type.ts"],
  ])("%s -> %s", (from, to) => {
    expect(rulesAgainst(from, to)).not.toEqual([]);
  });
});

test("rooms that all reach one another are a knot, also by way of a third", () => {
  const arrows = (text: string) => text.split(" ").map((arrow) => [arrow[0] ?? "", arrow[1] ?? ""] as const);
  expect(findKnots(arrows("ab bc cd"))).toEqual([]);
  expect(findKnots(arrows("ab bc ca cd"))).toEqual([["a", "b", "c"]]);
});

test("test/unit mirrors the tree: each of its folders is a room, and a test named after a file stands beside it", () => {
  const tests = globSync("**/*.test.ts", { cwd: "test/unit", exclude: ["docs/**"] });
  expect(tests.length).toBeGreaterThan(100);
  expect(tests.map(dirname).filter((folder) => !existsSync(folder))).toEqual([]);
  const sources = globSync("{plugin,runtime,cli,playground}/**/*.{ts,tsx}").map((file) => file.replace(/x$/, ""));
  const elsewhere = tests.filter((file) => {
    const source = file.replace(".test.ts", ".ts");
    const name = source.slice(source.lastIndexOf("/"));
    return !sources.includes(source) && sources.filter((other) => other.endsWith(name)).length === 1;
  });
  expect(elsewhere).toEqual([]);
});
