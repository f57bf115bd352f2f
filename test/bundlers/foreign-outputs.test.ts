import { readdirSync } from "node:fs";
import { join } from "node:path";
import { rspack, type Configuration as RspackConfiguration } from "@rspack/core";
import * as esbuild from "esbuild";
import { rolldown } from "rolldown";
import { build as viteBuild } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import webpack, { type Configuration as WebpackConfiguration } from "webpack";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";

// An application that serves one tool, and a worker that has nothing to do with tenon.
let project: BundlerProject;
beforeAll(async () => {
  project = await bundlerProject();
  project.write({
    "src/server.ts": 'import "./registry.js";\n',
    "src/worker.ts": 'import { basename } from "node:path";\nconsole.log("worker", basename("a/b"));\n',
  });
});
afterAll(() => project[Symbol.dispose]());

const input = (): { server: string; worker: string } => ({
  server: project.path("src/server.ts"),
  worker: project.path("src/worker.ts"),
});

function likeWebpack(folder: string) {
  return {
    context: project.root,
    mode: "production" as const,
    target: "node22" as const,
    entry: input(),
    output: { path: folder, module: true },
    resolve: { alias: { "@": project.path("src") } },
  };
}

interface Runnable {
  run(done: (error: Error | null, stats?: { hasErrors(): boolean; toString(): string } | undefined) => void): void;
}

function run(compiler: Runnable): Promise<void> {
  return new Promise((done, fail) =>
    compiler.run((error, stats) =>
      error === null && stats?.hasErrors() === false ? done() : fail(error ?? new Error(String(stats))),
    ),
  );
}

const builds: { readonly [name: string]: (folder: string, withTenon: boolean) => Promise<void> } = {
  async esbuild(folder, withTenon) {
    await esbuild.build({
      absWorkingDir: project.root,
      entryPoints: Object.values(input()),
      bundle: true,
      platform: "node",
      format: "esm",
      outdir: folder,
      logLevel: "silent",
      plugins: withTenon ? [project.plugins.esbuild()] : [],
    });
  },
  async vite(folder, withTenon) {
    await viteBuild({
      root: project.root,
      configFile: false,
      logLevel: "silent",
      resolve: { alias: { "@": project.path("src") } },
      build: { ssr: true, outDir: folder, rolldownOptions: { input: input() } },
      plugins: withTenon ? [project.plugins.vite()] : [],
    });
  },
  async rolldown(folder, withTenon) {
    await using build = await rolldown({
      cwd: project.root,
      input: input(),
      platform: "node",
      resolve: { alias: { "@": project.path("src") } },
      plugins: withTenon ? [project.plugins.rolldown()] : [],
      onLog: () => {},
    });
    await build.write({ dir: folder });
  },
  webpack: (folder, withTenon) =>
    run(
      webpack({
        ...likeWebpack(folder),
        resolve: { ...likeWebpack(folder).resolve, extensionAlias: { ".js": [".ts", ".js"] } },
        plugins: withTenon ? [project.plugins.webpack()] : [],
      } satisfies WebpackConfiguration),
    ),
  rspack: (folder, withTenon) =>
    run(
      rspack({
        ...likeWebpack(folder),
        resolve: { ...likeWebpack(folder).resolve, extensionAlias: { ".js": [".ts", ".js"] } },
        module: {
          rules: [
            { test: /\.ts$/, loader: "builtin:swc-loader", options: { jsc: { parser: { syntax: "typescript" } } } },
          ],
        },
        plugins: withTenon ? [project.plugins.rspack()] : [],
      } satisfies RspackConfiguration) as unknown as Runnable,
    ),
};

const entries = (folder: string): readonly string[] =>
  readdirSync(project.path(folder)).filter((name) => /^(?:server|worker)\./.test(name));

test.each(Object.keys(builds))("%s: an entry without tools is what it is without the plugin", async (name) => {
  await builds[name]?.(project.path("plain", name), false);
  await builds[name]?.(project.path("out", name), true);
  expect(entries(join("out", name))).toEqual(entries(join("plain", name)));
  const [server = "", worker = ""] = entries(join("out", name));
  const text = (folder: string): string => project.read(join(folder, name, worker)).trim();
  expect(text("out")).toBe(text("plain"));
  project.write({ [`out/${name}/package.json`]: '{ "type": "module" }' });
  expect(runMoved(project.path("out", name), server, ["shout", '{"text":"a"}'])).toEqual({
    status: 0,
    stdout: '"A!"\n',
    stderr: "",
  });
});

test("one line says which option makes an output run that node would take for CommonJS", async () => {
  project.write({ "app/package.json": "{}", "app/server.ts": "/** Adds. @tool */\nexport function add(): void {}\n" });
  const { warnings } = await esbuild.build({
    absWorkingDir: project.root,
    entryPoints: ["app/server.ts"],
    outdir: project.path("app/dist"),
    logLevel: "silent",
    plugins: [project.plugins.esbuild()],
  });
  expect(warnings.map(({ text }) => text)).toEqual([
    'tenon: *.js is an ES module, and no package.json above it says "type": "module", so that node may not run it: ' +
      'set `outExtension: { ".js": ".mjs" }`.',
  ]);
});
