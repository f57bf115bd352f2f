import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { rspack, type Configuration as RspackConfiguration } from "@rspack/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import webpack, { type Configuration as WebpackConfiguration } from "webpack";
import { type BundlerProject, bundlerProject } from "./bundler-project.ts";

interface Stats {
  hasErrors(): boolean;
  toString(options: object): string;
}

/** The common part of webpack's and Rspack's compilers, as far as the tests go. */
interface Compiler {
  run(done: (error: Error | null, stats?: Stats) => void): void;
  watch(options: object, done: (error: Error | null, stats?: Stats) => void): { close(done: () => void): void };
  close(done: () => void): void;
}

let project: BundlerProject;
beforeEach(async () => {
  project = await bundlerProject();
});
afterEach(() => project[Symbol.dispose]());

function configuration(entry: string): WebpackConfiguration {
  return {
    context: project.root,
    mode: "production",
    entry: { service: entry },
    output: { path: project.path("dist") },
    resolve: { alias: { "@": project.path("src") } },
    // The runtime would be most of the work.
    externals: { tenon: "module tenon" },
  };
}

const compilers: { readonly [name: string]: (entry: string) => Compiler } = {
  webpack: (entry) =>
    webpack({
      ...configuration(entry),
      module: { rules: [{ test: /\.ts$/, loader: join(import.meta.dirname, "strip-types-loader.cjs") }] },
      cache: { type: "filesystem", cacheDirectory: project.path("cache") },
      plugins: [project.plugins.webpack()],
    }) as unknown as Compiler,
  rspack: (entry) =>
    rspack({
      ...(configuration(entry) as RspackConfiguration),
      module: {
        rules: [
          { test: /\.ts$/, loader: "builtin:swc-loader", options: { jsc: { parser: { syntax: "typescript" } } } },
        ],
      },
      cache: { type: "persistent", storage: { type: "filesystem", directory: project.path("cache") } },
      plugins: [project.plugins.rspack()],
    } as RspackConfiguration) as unknown as Compiler,
};

async function buildOnce(name: string, entry: string): Promise<Stats> {
  const compiler = compilers[name]?.(entry);
  if (compiler === undefined) throw new Error(name);
  const stats = await new Promise<Stats>((done, fail) =>
    compiler.run((error, result) => (result ? done(result) : fail(error))),
  );
  await new Promise<void>((done) => compiler.close(done));
  return stats;
}

describe.each(Object.keys(compilers))("%s", (name) => {
  test("a build from the persistent cache still knows tools, definition and problems", async () => {
    expect((await buildOnce(name, "./src/service.ts")).hasErrors()).toBe(false);
    const definition = project.read("service.json");
    rmSync(project.path("service.json"));
    expect((await buildOnce(name, "./src/service.ts")).hasErrors()).toBe(false);
    expect(project.read("service.json")).toBe(definition);
    project.edit("package.json", '"1.2.3"', '"1.2.4"');
    project.edit("src/tools/slug.ts", "heading: string", "heading: symbol");
    expect((await buildOnce(name, "./src/service.ts")).toString({ all: false, errors: true })).toContain(
      "src/tools/slug.ts:6:12  TN301",
    );
    expect((await buildOnce(name, "./src/service.ts")).toString({ all: false, errors: true })).toContain(
      "src/tools/slug.ts:6:12  TN301",
    );
  });

  test("in watch mode the error goes away after the fix", async () => {
    project.edit("src/tools/slug.ts", "heading: string", "heading: symbol");
    const compiler = compilers[name]?.("./src/registry.ts");
    if (compiler === undefined) throw new Error(name);
    const ends: ((stats: Stats) => void)[] = [];
    const end = (): Promise<Stats> => new Promise((done) => ends.push(done));
    const first = end();
    const watching = compiler.watch({ aggregateTimeout: 20 }, (error, stats) => {
      if (error || !stats) throw error ?? new Error("no stats");
      ends.shift()?.(stats);
    });
    try {
      expect((await first).toString({ all: false, errors: true })).toContain("TN301");
      const second = end();
      project.edit("src/tools/slug.ts", "heading: symbol", "heading: string");
      expect((await second).hasErrors()).toBe(false);
      const words = [project.path("dist/service.mjs"), "slug", '{"heading":"A b"}'];
      expect(spawnSync(process.execPath, words, { encoding: "utf8" }).stdout).toBe('"a-b"\n');
    } finally {
      await new Promise<void>((done) => watching.close(done));
      await new Promise<void>((done) => compiler.close(done));
    }
  });
});
