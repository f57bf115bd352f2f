import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { packedProject, type PackedProject } from "../support/packed-project.ts";

const page = readFileSync("docs/bundlers.md", "utf8");
/** Configurations on the page by the name in their first line. */
const configs = new Map(
  [...page.matchAll(/^```js\n\/\/ ([\w.]+).*\n([^]*?)^```/gm)].map(([, name = "", text = ""]) => [name, text]),
);
const files = {
  "src/is-prime.ts": `/** @schema urn:example:schema.is-prime.request.1 */
export interface PrimeRequest {
  /** The number to test. @type uint32 */
  number: number;
}

/** Tests whether a number is prime.
 * @tool */
export function isPrime({ number }: PrimeRequest): boolean {
  for (let d = 2; d * d <= number; d += 1) if (number % d === 0) return false;
  return number > 1;
}
`,
  "src/service.ts": `import { Service, loggingInit, startLambdaServer } from "tenon";
import "./is-prime.js";

loggingInit();
await startLambdaServer(new Service({ name: "Prime numbers" }));
`,
};
/** Runs a configuration of webpack or Rspack without their command lines; a smaller output would only take longer. */
const runner = (bundler: string, config: string): string => `import bundler from "${bundler}";
import config from "./${config}";
const optimization = { minimize: false, concatenateModules: false };
bundler({ ...config, optimization }, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString({ all: false, errors: true }));
});
`;

const builds: readonly (readonly [string, string, readonly string[], string])[] = [
  ["vite.config.mjs", "vite", ["node_modules/vite/bin/vite.js", "build"], ""],
  ["build.mjs", "esbuild", ["build.mjs"], ""],
  ["rolldown.config.mjs", "rolldown", ["node_modules/rolldown/bin/cli.mjs", "-c"], ""],
  ["rollup.config.mjs", "rollup", ["node_modules/rollup/dist/bin/rollup", "-c"], ""],
  ["webpack.config.mjs", "webpack", ["run.mjs"], runner("webpack", "webpack.config.mjs")],
  ["rspack.config.mjs", "@rspack/core", ["run.mjs"], runner("@rspack/core", "rspack.config.mjs")],
];

let user: PackedProject | undefined;
afterEach(() => user?.dispose());

describe("docs/bundlers.md", () => {
  test("has a configuration for each", () => {
    expect([...configs.keys()]).toEqual(expect.arrayContaining(builds.map(([config]) => config)));
  });

  test.each(builds)("%s builds a service that runs", (config, name, words, run) => {
    // rolldown is a dependency of tenon, so it is installed.
    const packages = name === "rolldown" ? [] : [name];
    user = packedProject({ ...files, [config]: configs.get(config) ?? "", "run.mjs": run }, { packages });
    const { status, stderr } = user.node(words);
    expect([status, stderr]).toEqual([0, expect.not.stringMatching(/TN\d|unresolved|not be resolved/i)]);
    const out = readdirSync(join(user.root, "dist")).find((file) => /^service\.m?js$/.test(file)) ?? "";
    const described = user.node([join("dist", out), "--print-tool-description"]);
    expect([described.status, described.stderr]).toEqual([0, ""]);
    expect(described.stdout).toContain("urn:example:schema.is-prime.request.1");
    expect(existsSync(join(user.root, "service.json"))).toBe(true);
  });
});
