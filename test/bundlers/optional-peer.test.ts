import { existsSync, symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

describe("pg, the driver of a job store in PostgreSQL", () => {
  /** The output of a bundled service that is to keep its jobs where no server listens. */
  async function started(bundler: string, folder: string): Promise<string> {
    const outdir = project.path(folder, bundler);
    const result = await bundlers[bundler]?.({ root: project.root, outdir, plugins: project.plugins });
    expect(result).toEqual({ warnings: [] });
    const file = existsSync(project.path(folder, bundler, "service.mjs")) ? "service.mjs" : "service.js";
    const env = { TENON_STORE: "postgres://anna:geheim@127.0.0.1:9/jobs", PLATFORM_START_TIMEOUT: "0" };
    const { stderr } = runMoved(outdir, file, ["--port", "0"], process.execPath, env);
    return stderr;
  }

  test.each(["rolldown"])("%s: a service without it says what to install", async (name) => {
    expect(await started(name, "without-pg")).toContain("Run npm install pg, and build again.");
  });

  // Rollup alone bundles no CommonJS packages: its users add a plugin for that.
  test.each(bundlerNames.filter((name) => name !== "rollup"))(
    "%s: the real driver goes into the bundle of a project that names it",
    async (name) => {
      const json = JSON.parse(project.read("package.json")) as object;
      project.write({ "package.json": JSON.stringify({ ...json, dependencies: { pg: "^8.16.0" } }) });
      const installed = project.path("node_modules/pg");
      if (!existsSync(installed)) symlinkSync(resolve("node_modules/pg"), installed);
      const told = await started(name, "with-pg");
      expect(told).toContain("postgres://anna@127.0.0.1:9/jobs cannot be reached: nothing listens there.");
      expect(told).not.toContain("geheim");
    },
  );
});
