import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { rspack } from "@rspack/core";
import * as esbuild from "esbuild";
import { watch as watchRolldown } from "rolldown";
import { type Plugin as RollupPlugin, watch as watchRollup } from "rollup";
import { build as viteBuild } from "vite";
import webpack from "webpack";
import type { BundlerProject } from "./bundler-project.ts";

/** A bundler in watch mode. */
export interface Watcher extends AsyncDisposable {
  /** Text of the errors of the next build to end; empty for a good one. One that ended before anyone asked counts. */
  next(): Promise<string>;
}

/** Starts a bundler's watch mode on `src/main.ts`; the output goes to `out/`. */
export type Watch = (project: BundlerProject) => Promise<Watcher>;

interface Ends {
  readonly next: Watcher["next"];
  end(text: string): void;
}

function collectEnds(): Ends {
  const ended: string[] = [];
  const asking: ((text: string) => void)[] = [];
  return {
    end(text) {
      const ask = asking.shift();
      if (ask === undefined) ended.push(text);
      else ask(text);
    },
    next() {
      const text = ended.shift();
      return text === undefined ? new Promise((resolve) => asking.push(resolve)) : Promise.resolve(text);
    },
  };
}

interface RollupEvent {
  readonly code: string;
  readonly error?: { readonly message: string };
  readonly result?: { close(): unknown } | null;
}

/** The common part of the watchers of Rollup and Rolldown, as far as the tests go. */
interface RollupWatcher {
  on(event: "event", listen: (event: RollupEvent) => void): unknown;
  close(): unknown;
}

function followRollup(given: unknown): Watcher {
  const watcher = given as RollupWatcher;
  const { end, next } = collectEnds();
  watcher.on("event", ({ code, error, result }) => {
    void result?.close();
    if (code === "BUNDLE_END") end("");
    if (code === "ERROR") end(error?.message ?? "");
  });
  return { next, [Symbol.asyncDispose]: async () => void (await watcher.close()) };
}

/**
 * Saves all files of a folder again while no build answers, as a person would. Rollup's file watcher, chokidar, drops
 * what comes within 50 ms of a file's last change, and what comes while it begins to watch the file; it tells of
 * neither.
 */
async function savingAgain(folder: string, answer: Promise<string>): Promise<string> {
  const timer = setInterval(() => {
    const now = new Date();
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), now, now);
  }, 500);
  return answer.finally(() => clearInterval(timer));
}

interface PackCompiler {
  watch(
    options: object,
    done: (error: Error | null, stats?: { hasErrors(): boolean; toString(options: object): string }) => void,
  ): { close(done: () => void): void };
  close(done: () => void): void;
}

function followPack(compiler: PackCompiler): Watcher {
  const { end, next } = collectEnds();
  const watching = compiler.watch({ aggregateTimeout: 10 }, (error, stats) => {
    end(error?.message ?? (stats?.hasErrors() === true ? stats.toString({ all: false, errors: true }) : ""));
  });
  return {
    next,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((done) => watching.close(done));
      await new Promise<void>((done) => compiler.close(done));
    },
  };
}

const stripTypes: RollupPlugin = {
  name: "test-strip-types",
  resolveId: (id, importer) =>
    importer?.endsWith(".ts") === true && /^\.\/.*\.js$/.test(id)
      ? join(importer, "..", id.replace(/js$/, "ts"))
      : null,
  async transform(code, id) {
    return id.endsWith(".ts") ? (await esbuild.transform(code, { loader: "ts", sourcefile: id })).code : null;
  },
};

function packOptions({ root, path }: BundlerProject) {
  return {
    context: root,
    mode: "development" as const,
    devtool: false as const,
    entry: { main: "./src/main.ts" },
    output: { path: path("out") },
  };
}

export const watchers: { readonly [name: string]: Watch } = {
  async esbuild({ root, plugins }) {
    const { end, next } = collectEnds();
    const ends: esbuild.Plugin = {
      name: "ends",
      setup: (build) =>
        build.onEnd(({ errors }) => end(errors.map(({ location, text }) => `${location?.file}: ${text}`).join("\n"))),
    };
    const context = await esbuild.context({
      absWorkingDir: root,
      entryPoints: ["src/main.ts"],
      outdir: "out",
      logLevel: "silent",
      plugins: [plugins.esbuild(), ends],
    });
    await context.watch();
    return { next, [Symbol.asyncDispose]: () => context.dispose() };
  },

  rolldown: async ({ root, path, plugins }) =>
    followRollup(
      watchRolldown({
        cwd: root,
        input: "src/main.ts",
        plugins: [plugins.rolldown()],
        onLog: () => undefined,
        output: { dir: path("out") },
      }),
    ),

  async rollup({ root, path, plugins }) {
    const watcher = followRollup(
      watchRollup({
        input: join(root, "src/main.ts"),
        plugins: [plugins.rollup(), stripTypes],
        onLog: () => undefined,
        output: { dir: path("out") },
      }),
    );
    return { ...watcher, next: () => savingAgain(path("src"), watcher.next()) };
  },

  async vite({ root, path, plugins }) {
    const watcher = await viteBuild({
      root,
      configFile: false,
      logLevel: "silent",
      build: { ssr: "src/main.ts", outDir: path("out"), minify: false, watch: {} },
      plugins: [plugins.vite()],
    });
    if (!("on" in watcher)) throw new Error("no watcher");
    return followRollup(watcher);
  },

  webpack: async (project) =>
    followPack(
      webpack({
        ...packOptions(project),
        module: { rules: [{ test: /\.ts$/, loader: join(import.meta.dirname, "strip-types-loader.cjs") }] },
        plugins: [project.plugins.webpack()],
      }) as unknown as PackCompiler,
    ),

  rspack: async (project) =>
    followPack(
      rspack({
        ...packOptions(project),
        module: {
          rules: [
            { test: /\.ts$/, loader: "builtin:swc-loader", options: { jsc: { parser: { syntax: "typescript" } } } },
          ],
        },
        plugins: [project.plugins.rspack()],
      }) as unknown as PackCompiler,
    ),
};
