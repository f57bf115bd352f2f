import { expect, test } from "vitest";
import { pathProblem } from "../../../../../plugin/read/comments/tool-tags.ts";
import { systemRoutes } from "../../../../../runtime/contract/definition/openapi-routes.ts";

const taken = [...Object.keys(systemRoutes(false)), "/mcp", "/metrics", "/schedules", "/.well-known"];

test.each(taken)("a tool may not have the path %s, nor one below it, since every service may have it", (path) => {
  const problem = `\`${path}\` is a path of every service`;
  expect([pathProblem(path), pathProblem(`${path}/more`), pathProblem(`${path}s`)]).toEqual([
    problem,
    problem,
    undefined,
  ]);
});
