/** Commands and programs of docs/source-maps.md. */
import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

const page = readFileSync("docs/source-maps.md", "utf8");
const tool = `/** Halves a number.
 * @tool
 * @param n - The number. */
export function half(n: number): number {
  const half: number = n / 2;
  if (!Number.isInteger(half)) throw new Error(\`\${n} is odd\`);
  return half;
}
`;

let user: PackedProject;
beforeAll(() => {
  const programs = [...page.matchAll(/^```js\n(\/\/ ([\w-]+\.mjs):.*?)^```/gms)].map(([, code = "", name = ""]) => [
    name,
    code,
  ]);
  user = packedProject({
    ...(Object.fromEntries(programs) as Record<string, string>),
    "src/half.ts": tool,
    "src/service.ts": `import { loggingInit, Service, startLambdaServer } from "tenon";
import "./half.js";
loggingInit();
await startLambdaServer(new Service({ name: "Halves" }));
`,
    "request.json": '{ "n": 7 }\n',
  });
  expect(user.tenon("build")).toMatchObject({ status: 0 });
});
afterAll(() => user.dispose());

/** The place at the top of the stack that a failed call writes into the log. */
function placeOfError(...flags: readonly string[]): string {
  const words = ["dist/service.mjs", "--test-without-sidecar", "--test-file", "request.json"];
  const { stderr, stdout } = user.node([...flags, ...words]);
  return (
    /7 is odd(?:\\n|\n) +at half \((?:file:\/\/)?([^)]*)\)/.exec(stderr + stdout)?.[1] ?? `none: ${stderr}${stdout}`
  );
}

const maps = (): readonly string[] => globSync("dist/**/*.map", { cwd: user.root });
const inSource = /src\/half\.ts:6:\d+$/;
const inBundle = /dist\/service\.mjs:(\d+):(\d+)$/;

test("stacks name the author's line with the flag, and only author code has maps", () => {
  expect(maps()).toEqual(["dist/service.mjs.map"]);
  expect(placeOfError("--enable-source-maps")).toMatch(inSource);
  expect(placeOfError()).toMatch(inBundle);
});

test("the generated caller of a tool is not taken for a line of the author", () => {
  const words = ["--enable-source-maps", "dist/service.mjs", "--test-without-sidecar", "--test-file", "request.json"];
  const { stderr, stdout } = user.node(words);
  expect(stderr + stdout).toMatch(
    /at half \([^)]*\)\\n +at call \([^)]*\/src\/node_modules\/tenon\/generated\.js:1:1\)/,
  );
});

test("maps without sources do the same", () => {
  expect(user.read("dist/service.mjs.map")).toContain("is odd");
  expect(user.node(["strip-sources.mjs"])).toMatchObject({ status: 0 });
  expect(user.read("dist/service.mjs.map")).not.toContain("is odd");
  expect(placeOfError("--enable-source-maps")).toMatch(inSource);
});

test("a map that was kept elsewhere tells where a place of the bundle comes from", () => {
  user.write({ "kept.map": user.read("dist/service.mjs.map") });
  rmSync(join(user.root, "dist/service.mjs.map"));
  const [, line = "", column = ""] = inBundle.exec(placeOfError("--enable-source-maps")) ?? [];
  expect(user.node(["where.mjs", "kept.map", line, column]).stdout).toBe("../src/half.ts:6\n");
});
