import { join } from "node:path";
import { expect, test } from "vitest";
import webpack from "webpack";
import { rspack } from "@rspack/core";
import tenonRspack from "../../../../../plugin/bundlers/rspack.ts";
import tenonWebpack from "../../../../../plugin/bundlers/webpack.ts";
import { readText } from "../../../../../plugin/read/base/read-text.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

test.each(["webpack", "rspack"])("%s builds a service in a folder whose name has a `#`", async (name) => {
  const root = join(
    temporaryFolder({
      "C#/package.json": '{ "type": "module" }',
      "C#/src/service.ts": `import { Service, startLambdaServer } from "tenon";
/** Says a word. @tool @readonly */
export function word() {
  return "a";
}
startLambdaServer(new Service({ name: "Words" }));
`,
    }),
    "C#",
  );
  const options = { context: root, entry: "./src/service.ts", mode: "development", devtool: false } as const;
  const output = { path: join(root, "dist") };
  const errors = await new Promise<unknown>((resolve, reject) => {
    const done = (error: Error | null, stats?: { toJson(): { errors?: unknown } }): void =>
      error ? reject(error) : resolve(stats?.toJson().errors);
    if (name === "webpack") webpack({ ...options, output, plugins: [tenonWebpack({ cache: false })] }, done);
    else rspack({ ...options, output, plugins: [tenonRspack({ cache: false })] }, done);
  });
  expect(errors).toEqual([]);
  expect(readText(join(root, "service.json"))).toContain('"word"');
});
