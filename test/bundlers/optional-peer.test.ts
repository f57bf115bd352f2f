import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";
import { bundlerNames, bundlers } from "./six-bundlers.ts";

let project: BundlerProject;
beforeAll(async () => {
  project = await bundlerProject();
  project.write({
    "src/ask.ts": `import { recordedJob } from "tenon/testing";
const told = recordedJob().job.llmClient({ apiKey: "key" }).then(
  (llm) => Object(llm).mark,
  (error) => error.name + ": " + error.message,
);
console.log(await told);
`,
    // In the place of the real one, which would make every bundler read 300 files.
    "node_modules/openai/package.json": '{ "name": "openai", "version": "7.0.0", "type": "module" }',
    "node_modules/openai/index.mjs": `export class OpenAI {
  constructor({ apiKey }) { this.mark = "bundled, " + apiKey; }
}
`,
  });
});
afterAll(() => project[Symbol.dispose]());

async function told(bundler: string, folder: string): Promise<string> {
  const outdir = project.path(folder, bundler);
  const result = await bundlers[bundler]?.({
    root: project.root,
    outdir,
    entry: "src/ask.ts",
    plugins: project.plugins,
  });
  expect(result).toEqual({ warnings: [] });
  const files = ["ask.mjs", "service.mjs", "ask.js", "service.js"];
  const file = files.find((name) => existsSync(project.path(folder, bundler, name)));
  const { stdout, stderr } = runMoved(outdir, file ?? "ask.mjs");
  return stdout + stderr;
}

test.each(["esbuild", "rolldown", "webpack"])(
  "%s: a peer that the project does not name is missing when it is called",
  async (name) => {
    expect(await told(name, "without")).toBe(
      'LlmPackageError: job.llmClient() needs the package "openai", version 6 or 7. Run npm install openai, and build again. ' +
        '(The package "openai" is not part of this service. Install it in the service\'s project with "npm install openai", and build again.)\n',
    );
  },
);

test.each(bundlerNames)("%s: a peer that the project names goes into the bundle", async (name) => {
  const json = JSON.parse(project.read("package.json")) as object;
  project.write({ "package.json": JSON.stringify({ ...json, dependencies: { openai: "^7.0.0" } }) });
  expect(await told(name, "with")).toBe("bundled, key\n");
});
