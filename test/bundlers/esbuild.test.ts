import { existsSync, readdirSync } from "node:fs";
import * as esbuild from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stdoutGuardBanner } from "../../runtime/base/process/stdout-guard.ts";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";

let project: BundlerProject;
beforeEach(async () => {
  project = await bundlerProject();
});
afterEach(() => project[Symbol.dispose]());

function options(more: esbuild.BuildOptions = {}): esbuild.BuildOptions {
  return {
    absWorkingDir: project.root,
    entryPoints: ["src/registry.ts"],
    outExtension: { ".js": ".mjs" },
    logLevel: "silent",
    plugins: [project.plugins.esbuild()],
    ...more,
  };
}

/** Makes the plugin, with some of esbuild's hooks replaced. */
function withHooks(hooks: (native: esbuild.PluginBuild) => Partial<esbuild.PluginBuild>): esbuild.Plugin {
  const { name, setup } = project.plugins.esbuild();
  return { name, setup: (native) => setup({ ...native, ...hooks(native) }) };
}

const forNode = { bundle: true, platform: "node", format: "esm" } as const;

const commonJs = {
  "node_modules/old/package.json": '{ "name": "old", "main": "index.js" }',
  "node_modules/old/index.js":
    'exports.name = require("node:path").basename(__filename); exports.fs = typeof require("fs").readFileSync;',
  "src/old.ts": 'import "tenon"; import old from "old"; console.log(old.name, old.fs);',
};

describe("esbuild", () => {
  test("nothing but entry points and the plugin: a service is .mjs and chunks, an application one .js", async () => {
    const { root, plugins } = project;
    const build = (more: esbuild.BuildOptions): Promise<esbuild.BuildResult> =>
      esbuild.build({ absWorkingDir: root, plugins: [plugins.esbuild()], ...more });
    await build({ entryPoints: ["src/service.ts"] });
    expect(readdirSync(project.path("dist")).toSorted()).toEqual(["chunks", "service.mjs"]);
    await build({ entryPoints: ["src/registry.ts"], outdir: project.path("app") });
    expect(readdirSync(project.path("app"))).toEqual(["registry.js"]);
    expect(runMoved(project.path("app"), "registry.js", ["shout", '{"text":"a"}']).stdout).toBe('"A!"\n');
  });

  test.each([
    ["single builds ask only for those with tools", false],
    ["a context asks for all, since files may be added", true],
  ])("among hundreds of files, %s", async (_, isContext) => {
    const names = Array.from({ length: 400 }, (_, index) => `part-${index}`);
    project.write(Object.fromEntries(names.map((name) => [`src/parts/${name}.ts`, "export {};"])));
    project.write({ "src/lost.ts": "/** Finds it. @tool */\nexport function lost(): string {\n  return 'it';\n}\n" });
    project.write({
      "src/many.ts": ['import "./service.js";', ...names.map((name) => `import "./parts/${name}.js";`)].join("\n"),
    });
    const asked = new Set<string>();
    const counted = withHooks(({ onLoad }) => ({
      onLoad: (filter, load) =>
        onLoad(filter, (file) => {
          asked.add(file.path);
          return load(file);
        }),
    }));
    const given = options({ entryPoints: ["src/many.ts"], plugins: [counted] });
    const build = async (): Promise<esbuild.BuildResult> => {
      if (!isContext) return esbuild.build(given);
      const context = await esbuild.context(given);
      return context.rebuild().finally(() => context.dispose());
    };
    const { warnings } = await build();
    expect(warnings.filter(({ id }) => id === "TN410").map(({ location }) => location?.file)).toEqual(["src/lost.ts"]);
    const parts = [...asked].filter((path) => path.includes("/parts/"));
    expect(parts).toHaveLength(isContext ? names.length : 0);
    expect([...asked].filter((path) => path.endsWith("slug.ts"))).toHaveLength(1);
  });

  test("no import of tenon costs a callback, nor does one of a file", async () => {
    const filters: RegExp[] = [];
    const spying = withHooks(({ onResolve }) => ({
      onResolve(filter, resolve) {
        filters.push(filter.filter);
        onResolve(filter, resolve);
      },
    }));
    await esbuild.build(
      options({ splitting: true, format: "esm", platform: "node", outdir: "dist", plugins: [spying] }),
    );
    // The fixture has a package whose imports esbuild may drop, for which all imports are asked for.
    const usual = filters.filter(({ source }) => source !== ".*");
    const meets = (name: string): boolean => usual.some((filter) => filter.test(name));
    expect(["tenon", "tenon/internal", "./tool.js", "../a/b.js", "/x/y.ts"].filter(meets)).toEqual([]);
    const others = ["t", "te", "ten", "teno", "tenons", "tea", "old", "@acme/tools", "./a.cjs", "trpc/server"];
    expect(others.filter((name) => !meets(name))).toEqual([]);
  });

  test("CommonJS packages find require and __filename", async () => {
    project.write(commonJs);
    await esbuild.build(options({ entryPoints: ["src/old.ts"] }));
    expect(runMoved(project.path("dist"), "old.mjs")).toEqual({ status: 0, stdout: "old.mjs function\n", stderr: "" });
  });

  test("beside a user's own banner that declares require", async () => {
    project.write(commonJs);
    const js = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
    await esbuild.build(options({ entryPoints: ["src/old.ts"], banner: { js } }));
    expect(runMoved(project.path("dist"), "old.mjs")).toEqual({ status: 0, stdout: "old.mjs function\n", stderr: "" });
  });

  test("import() of builtins and of CommonJS has their names, in chunks as in one file", async () => {
    const compiled = 'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = "inner";';
    project.write({
      ...commonJs,
      "src/plain.cjs": "exports.twice = (n) => 2 * n;",
      "node_modules/compiled/package.json": '{ "name": "compiled", "main": "index.js" }',
      "node_modules/compiled/index.js": compiled,
      "node_modules/asking/package.json": '{ "name": "asking", "type": "module", "exports": "./index.js" }',
      "node_modules/asking/index.js": 'export const agent = async () => new (await import("https")).Agent();',
      "src/service.ts": `import { agent } from "asking";
        import { runMcpStdio } from "tenon";
        export const start = () => runMcpStdio();
        const [http, old, plain, compiled] =
          [await import("node:http"), await import("old"), await import("./plain.cjs"), await import("compiled")];
        console.log(typeof http.Agent, http.default.Agent === http.Agent, typeof (await agent()).sockets);
        console.log(old.fs, old.default.fs, plain.twice(4), compiled.default.default);`,
    });
    for (const [outdir, splitting] of [
      ["dist", true],
      ["one", false],
    ] as const) {
      await esbuild.build(options({ entryPoints: ["src/service.ts"], outdir, splitting }));
      expect(existsSync(project.path(outdir, "chunks"))).toBe(splitting);
      expect(runMoved(project.path(outdir), "service.mjs")).toEqual({
        status: 0,
        // Standard output belongs to the service.
        stdout: "",
        stderr: "function true object\nfunction function 8 inner\n",
      });
    }
  });

  test("a build without the plugin passes, and the service says at its start that it was forgotten", async () => {
    await esbuild.build(
      options({ ...forNode, entryPoints: ["src/service.ts"], plugins: [], outdir: project.path("dist") }),
    );
    const { status, stderr } = runMoved(project.path("dist"), "service.mjs", ["--test-without-sidecar"]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("Check that the build uses tenon's plugin")]);
  });

  test("one output file", async () => {
    await esbuild.build(options({ outfile: project.path("one.js") }));
    expect(readdirSync(project.root)).toContain("one.js");
    expect(existsSync(project.path("dist"))).toBe(false);
  });

  test("write: false writes no definition either", async () => {
    const { outputFiles = [] } = await esbuild.build(options({ entryPoints: ["src/service.ts"], write: false }));
    expect(outputFiles.some(({ path }) => path.endsWith("dist/service.mjs"))).toBe(true);
    expect(existsSync(project.path("service.json"))).toBe(false);
  });

  test("packages: external keeps tenon outside", async () => {
    const { outputFiles = [] } = await esbuild.build(options({ packages: "external", write: false }));
    expect(outputFiles.map(({ text }) => text).join("")).toMatch(/from ?"tenon\/internal"/);
  });

  test("an export of tenon that is not the runtime is found as usual", async () => {
    project.write({
      "src/about.ts": 'import "tenon"; import about from "tenon/package.json"; console.log(about.name);',
    });
    await esbuild.build(options({ entryPoints: ["src/about.ts"] }));
    expect(runMoved(project.path("dist"), "about.mjs").stdout).toBe("tenon\n");
  });

  test("an absent openai does not break the build, and its import says how to install it", async () => {
    project.write({
      "src/llm.ts": 'import "tenon"; await import("openai").catch((error) => console.log(error.code, error.message));',
    });
    await esbuild.build(options({ entryPoints: ["src/llm.ts"] }));
    expect(runMoved(project.path("dist"), "llm.mjs").stdout).toBe(
      'ERR_MODULE_NOT_FOUND The package "openai" is not part of this service. Install it in the service\'s project with "npm install openai", and build again.\n',
    );
  });

  test("an openai that the user keeps outside stays outside", async () => {
    project.write({ "src/llm.ts": 'import "tenon"; await import("openai");' });
    const { outputFiles = [] } = await esbuild.build(
      options({ entryPoints: ["src/llm.ts"], external: ["openai"], write: false }),
    );
    expect(outputFiles.map(({ text }) => text).join("")).toContain('import("openai")');
  });

  test("an installed openai is bundled", async () => {
    project.write({
      "node_modules/openai/package.json": '{ "name": "openai", "type": "module", "exports": "./index.js" }',
      "node_modules/openai/index.js": "export default class OpenAI {}",
      "src/llm.ts": 'import "tenon"; import OpenAI from "openai"; console.log(typeof OpenAI);',
    });
    await esbuild.build(options({ entryPoints: ["src/llm.ts"] }));
    expect(runMoved(project.path("dist"), "llm.mjs").stdout).toBe("function\n");
  });

  test("an error goes away after a fix, also one in a file of types only, and a tool that is no longer imported", async () => {
    project.write({
      "src/model.ts":
        "/** @schema urn:example:schema.late.request.1 */\nexport interface LateRequest {\n  /** Text. */\n  text: symbol;\n}\n",
      "src/tools/late.ts":
        'import type { LateRequest } from "../model.js";\n/** Comes later. @tool */\nexport function late(request: LateRequest): string {\n  return String(request.text);\n}\n',
      "src/main.ts": 'import "./tools/late.js";\nimport "./registry.js";\n',
    });
    const context = await esbuild.context(options({ entryPoints: ["src/main.ts"] }));
    try {
      const failure = await context.rebuild().catch((error: esbuild.BuildFailure) => error);
      expect(
        failure.errors.map(({ text, location }) => `${location?.file}:${location?.line} ${text.slice(0, 5)}`),
      ).toEqual(["src/model.ts:4 TN301"]);
      project.edit("src/model.ts", "symbol", "string");
      await context.rebuild();
      const names = (): readonly string[] =>
        (JSON.parse(runMoved(project.path("dist"), "main.mjs").stdout) as { name: string }[]).map(({ name }) => name);
      expect(names()).toEqual(["isPrime", "late", "shout", "slug"]);
      project.edit("src/main.ts", 'import "./tools/late.js";\n', "");
      project.edit("src/tools/late.ts", "/** Comes later. @tool */", "/** @tool */");
      const { warnings } = await context.rebuild();
      expect(warnings).toEqual([]);
      expect(names()).toEqual(["isPrime", "shout", "slug"]);
    } finally {
      await context.dispose();
    }
  });

  test("watch mode rebuilds when a file changes that gives only types", async () => {
    project.write({
      "src/model.ts":
        "/** @schema urn:example:schema.late.request.1 */\nexport interface LateRequest {\n  /** Text. */\n  text: symbol;\n}\n",
      "src/main.ts":
        'import type { LateRequest } from "./model.js";\n/** Comes later. @tool */\nexport function late(request: LateRequest): string {\n  return String(request.text);\n}\n',
    });
    const ends: ((result: esbuild.BuildResult) => void)[] = [];
    const waiter: esbuild.Plugin = {
      name: "waiter",
      setup: (build) => build.onEnd((result) => ends.shift()?.(result)),
    };
    const end = (): Promise<esbuild.BuildResult> => new Promise((done) => ends.push(done));
    const context = await esbuild.context(
      options({ entryPoints: ["src/main.ts"], plugins: [project.plugins.esbuild(), waiter] }),
    );
    try {
      const first = end();
      await context.watch();
      expect((await first).errors).toHaveLength(1);
      const second = end();
      project.edit("src/model.ts", "symbol", "string");
      expect((await second).errors).toEqual([]);
    } finally {
      await context.dispose();
    }
  });

  test("among many files the tools of the package and of others are found, and in a context those that come later", async () => {
    const tool = (name: string): string =>
      `/** Says ${name}. @tool */\nexport function ${name}(): string {\n  return "${name}";\n}\n`;
    const numbers = Array.from({ length: 320 }, (_, index) => index);
    project.write({
      ...Object.fromEntries(numbers.map((index) => [`src/many/m${index}.ts`, `export const m${index} = ${index};\n`])),
      "src/many/deep/[x] (1).ts": tool("deep"),
      "nested/package.json": "{}",
      "nested/nested.ts": tool("nested"),
      "dist/kept.ts": tool("kept"),
      "src/main.ts": `${numbers.map((index) => `export { m${index} } from "./many/m${index}.js";\n`).join("")}
        import "./many/deep/[x] (1).js";\nimport "../nested/nested.js";\nimport "../dist/kept.js";\nimport "./registry.js";\n`,
    });
    const names = (): readonly string[] =>
      (JSON.parse(runMoved(project.path("out"), "main.mjs").stdout) as { name: string }[]).map(({ name }) => name);
    const request = { entryPoints: ["src/main.ts"], outdir: project.path("out") };
    const found = ["deep", "isPrime", "kept", "nested", "shout", "slug"];
    await esbuild.build(options(request));
    expect(names()).toEqual(found);
    const context = await esbuild.context(options(request));
    try {
      await context.rebuild();
      expect(names()).toEqual(found);
      project.write({ "src/many/m7.ts": `${tool("late")}export const m7 = 7;\n` });
      await context.rebuild();
      expect(names()).toEqual([...found, "late"].toSorted());
    } finally {
      await context.dispose();
    }
  });

  test("a service that calls runMcpStdio guards standard output without a flag", async () => {
    project.write({
      "src/stdio.ts":
        'import { runMcpStdio, Service } from "tenon";\nimport "./loud.js";\nimport "./tools/slug.js";\nif (process.argv.length > 2) await runMcpStdio(new Service({ name: "S" }));\n',
      "src/loud.ts": 'console.log("loud");\n',
    });
    await esbuild.build(options({ entryPoints: ["src/stdio.ts"] }));
    expect(runMoved(project.path("dist"), "stdio.mjs")).toEqual({ status: 0, stdout: "", stderr: "loud\n" });
    project.write({ "src/start.ts": 'import "./stdio.js";\n' });
    const { outputFiles = [] } = await esbuild.build(options({ entryPoints: ["src/start.ts"], write: false }));
    expect(outputFiles.map(({ text }) => text.includes(stdoutGuardBanner("always").trim()))).not.toContain(false);
    // A file that is built into the same folder from other entries stays as it is.
    project.write({ "src/alone.ts": 'console.log("alone");\n' });
    await esbuild.build(options({ entryPoints: ["src/alone.ts"], outdir: project.path("dist") }));
    await esbuild.build(options({ entryPoints: ["src/start.ts"] }));
    expect(runMoved(project.path("dist"), "start.mjs")).toEqual({ status: 0, stdout: "", stderr: "loud\n" });
    expect(runMoved(project.path("dist"), "alone.mjs")).toEqual({ status: 0, stdout: "alone\n", stderr: "" });
  });
});
