/** The files and commands of docs/test-runners.md under node:test; Jest is installed by `npm run bundlers` only. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

const page = readFileSync("docs/test-runners.md", "utf8");
const files = Object.fromEntries(
  [...page.matchAll(/^```(?:js|ts)\n\/\/ (\S+)\n(.*?)^```/gms)].map(([, path = "", text = ""]) => [path, text]),
);

let user: PackedProject;
beforeAll(() => {
  const tool = `/** Halves a number.
 * @tool
 * @param n - The number. */
export function half(n: number): { half: number } {
  return { half: n / 2 };
}
`;
  const { "test/half.test.ts": ofNode = "", "build-tests.mjs": build = "" } = files;
  user = packedProject(
    { "src/half.ts": tool, "build-tests.mjs": build, "test/half.test.ts": ofNode },
    { packages: ["esbuild"] },
  );
});
afterAll(() => user.dispose());

test("a test that is not built says that the tool has no definition", () => {
  user.write({ "plain/half.test.ts": user.read("test/half.test.ts").replace("half.js", "half.ts") });
  const { status, stdout } = user.node(["--test", "plain/half.test.ts"]);
  expect([status, stdout]).toEqual([1, expect.stringContaining("half has no definition")]);
});

test("built tests run, and a failed one names its line in the source", () => {
  user.write({
    "test/wrong.test.ts": user.read("test/half.test.ts").replace("half: 4", "half: 5"),
  });
  expect(user.node(["build-tests.mjs"])).toMatchObject({ status: 0 });
  const [, command = ""] = /^node (--enable-source-maps --test .*)$/m.exec(page) ?? [];
  const words = command.replaceAll('"', "").split(" ");
  const { status, stdout } = user.node(words);
  expect([status, stdout]).toEqual([1, expect.stringMatching(/test\/wrong\.test\.ts:7:\d+/)]);
  expect(stdout).toMatch(/pass 3\n.*fail 1\n/);
});
