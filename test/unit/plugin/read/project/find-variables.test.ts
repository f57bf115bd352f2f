import { expect, test } from "vitest";
import { findVariables } from "../../../../../plugin/read/project/find-variables.ts";

test.each([
  ["a variable that is read as it is may be missing", "const key = process.env.KEY;", {}],
  ["one that is asserted must be there", "const key = process.env.KEY!;", { isRequired: true }],
  ["one that is cast must be there", "const key = process.env['KEY'] as string;", { isRequired: true }],
  ["one with a fallback need not be there", 'const key = process.env.KEY ?? "none";', { fallback: "none" }],
  [
    "one with a fallback that is asserted need not be there",
    'const key = process.env.KEY! || "none";',
    { fallback: "none" },
  ],
  ["an unknown fallback says nothing", "const key = process.env.KEY ?? other;", {}],
  ["one that is destructured", "const { KEY } = process.env;", {}],
  ["one that is destructured with a default", 'const { KEY: key = "none" } = process.env;', { fallback: "none" }],
  ["a number", "const key = Number(process.env.KEY ?? 8);", { kind: "number", fallback: "8" }],
  ["a flag", 'const key = process.env.KEY === "true";', { kind: "boolean" }],
  [
    "one with a comment",
    "/** For the gate. */\nconst key = process.env.KEY!;",
    { isRequired: true, description: "For the gate." },
  ],
  ["env of node:process", 'import { env } from "node:process";\nconst key = env.KEY;', {}],
])("%s", (_, text, facts) => {
  const expected = { name: "KEY", kind: "text", isRequired: false, ...facts };
  expect(findVariables("tool.ts", text)).toEqual({ named: [expected], unnamed: [] });
});

test("reads without a name are lines, and an env of others is none", () => {
  const text = "const all = process.env;\nconst one = process.env[name];\nconst own = config.env.KEY;\n";
  expect(findVariables("tool.ts", text)).toEqual({ named: [], unnamed: [1, 2] });
});
