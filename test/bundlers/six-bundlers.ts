import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { type Configuration as RspackConfiguration, rspack as runRspack } from "@rspack/core";
import * as esbuild from "esbuild";
import { rolldown } from "rolldown";
import { rollup, type Plugin as RollupPlugin } from "rollup";
import { build as viteBuild } from "vite";
import webpack, { type Configuration as WebpackConfiguration } from "webpack";
import type { TenonOptions } from "../../plugin/compile/options.ts";
import type { Plugins } from "./bundler-project.ts";

export interface BundleRequest {
  /** Folder of the project. */
  readonly root: string;
  readonly outdir: string;
  /** Relative to the folder; default `src/service.ts`. */
  readonly entry?: string;
  readonly minify?: boolean;
  readonly sourcemap?: boolean;
  /**
   * Leave on what takes webpack and Rollup most of their time: joining modules, dropping code that nobody uses, and the
   * two packages of the runtime that only some services load at all.
   */
  readonly optimize?: boolean;
  /** Packages to leave outside of the bundle, as a list in the bundler's own option. */
  readonly outside?: readonly string[];
  readonly tenon?: TenonOptions;
  readonly plugins: Plugins;
}

/** A failed build as a user of the bundler sees it. */
interface BundleFailure {
  readonly text: string;
  /** Places as the bundler itself knows them, not read from the text; line and column from 1. */
  readonly places: readonly { readonly file: string; readonly line: number; readonly column: number }[];
}

export interface BundleResult {
  readonly failure?: BundleFailure;
  /** Texts of warnings. */
  readonly warnings: readonly string[];
}

type Bundle = (request: BundleRequest) => Promise<BundleResult>;

/** The real bundlers, each with no more configuration than a user of it must write. */
export const bundlers: { readonly [name: string]: Bundle } = {
  async esbuild({ root, outdir, entry = "src/service.ts", outside, tenon, plugins, ...request }) {
    const { minify = false, sourcemap = false } = request;
    const options: esbuild.BuildOptions = {
      absWorkingDir: root,
      entryPoints: [entry],
      outdir,
      bundle: true,
      minify,
      sourcemap,
      logLevel: "silent",
      ...(outside && { external: [...outside] }),
      plugins: [plugins.esbuild(tenon)],
    };
    try {
      const { warnings } = await esbuild.build(options);
      return { warnings: warnings.map(({ text }) => text) };
    } catch (error) {
      const { errors, warnings } = error as esbuild.BuildFailure;
      const text = await esbuild.formatMessages(errors, { kind: "error" });
      const places = errors.flatMap(({ location }) =>
        location ? [{ file: location.file, line: location.line, column: location.column + 1 }] : [],
      );
      return { failure: { text: text.join("\n"), places }, warnings: warnings.map((one) => one.text) };
    }
  },

  async vite({ root, outdir, entry, minify = false, sourcemap = false, outside, tenon, plugins }) {
    const warnings: string[] = [];
    const warn = (text: string): void => void (isAboutTime(text) || warnings.push(text));
    try {
      await viteBuild({
        root,
        configFile: false,
        logLevel: "silent",
        customLogger: {
          info: () => {},
          warn,
          warnOnce: warn,
          error: () => {},
          clearScreen: () => {},
          hasErrorLogged: () => false,
          hasWarned: false,
        },
        resolve: { alias: { "@": join(root, "src") } },
        build: {
          outDir: outdir,
          minify,
          sourcemap,
          emptyOutDir: false,
          ...(entry !== undefined && { ssr: entry }),
          ...(outside && { rolldownOptions: { external: [...outside] } }),
        },
        plugins: [plugins.vite(tenon)],
      });
      return { warnings };
    } catch (error) {
      return { failure: rollupFailure(error), warnings };
    }
  },

  async rolldown({ root, outdir, entry = "src/service.ts", outside, tenon, plugins, ...request }) {
    const { minify = false, sourcemap = false } = request;
    const warnings: string[] = [];
    try {
      await using build = await rolldown({
        cwd: root,
        input: entry,
        ...(outside && { external: [...outside] }),
        resolve: { alias: { "@": join(root, "src") } },
        plugins: [plugins.rolldown(tenon)],
        onLog: (_level, log) => void (isAboutTime(log.message) || warnings.push(log.message)),
      });
      await build.write({ dir: outdir, minify, sourcemap });
      return { warnings };
    } catch (error) {
      return { failure: rollupFailure(error), warnings };
    }
  },

  async rollup({ root, outdir, entry = "src/service.ts", optimize = false, outside, tenon, plugins, ...request }) {
    const { minify = false, sourcemap = false } = request;
    const warnings: string[] = [];
    try {
      await using build = disposable(
        await rollup({
          input: join(root, entry),
          external: outside === undefined ? (id) => id.startsWith("node:") : [...outside],
          treeshake: optimize,
          // Tenon comes last: its transform must run first all the same.
          plugins: [nodeResolution(root, optimize ? undefined : seldomLoaded), stripTypes(), plugins.rollup(tenon)],
          onLog: (_level, log) => void warnings.push(log.message),
        }),
      );
      await build.write({ dir: outdir, sourcemap, ...(minify && { plugins: [minifyChunks()] }) });
      return { warnings };
    } catch (error) {
      return { failure: rollupFailure(error), warnings };
    }
  },

  async webpack({ root, outdir, entry = "src/service.ts", optimize = false, outside, tenon, plugins, ...request }) {
    const { minify = false, sourcemap = false } = request;
    const common = webpackLike(root, outdir, entry, minify, sourcemap);
    const compiler = webpack({
      ...common,
      optimization: { ...common.optimization, ...(optimize ? {} : plainModules) },
      ...(optimize ? {} : { externals: [seldomLoaded, ...(outside ?? [])], externalsType: "module-import" as const }),
      module: { rules: [{ test: /\.ts$/, loader: join(import.meta.dirname, "strip-types-loader.cjs") }] },
      plugins: [plugins.webpack(tenon)],
    } satisfies WebpackConfiguration);
    return runWebpackLike(compiler as unknown as RunnableCompiler);
  },

  async rspack({ root, outdir, entry = "src/service.ts", outside, tenon, plugins, ...request }) {
    const { minify = false, sourcemap = false } = request;
    const compiler = runRspack({
      ...webpackLike(root, outdir, entry, minify, sourcemap),
      ...(outside && { externals: [...outside] }),
      module: {
        rules: [
          {
            test: /\.ts$/,
            loader: "builtin:swc-loader",
            options: {
              jsc: {
                parser: { syntax: "typescript", decorators: true },
                transform: { decoratorVersion: "2022-03" },
                target: "es2024",
              },
            },
          },
        ],
      },
      plugins: [plugins.rspack(tenon)],
    } satisfies RspackConfiguration);
    return runWebpackLike(compiler as unknown as RunnableCompiler);
  },
};

/** Rolldown warns of plugins that take long, which on a busy machine is any. */
function isAboutTime(warning: string): boolean {
  return warning.includes("PLUGIN_TIMINGS");
}

export const bundlerNames: readonly string[] = Object.keys(bundlers);

/**
 * The SDKs of MCP and OpenTelemetry: half of the code of the runtime, behind imports that no test without them comes
 * to.
 */
const seldomLoaded = /^@modelcontextprotocol\/server|\/official\.js$/;

const plainModules = {
  concatenateModules: false,
  innerGraph: false,
  mangleExports: false,
  providedExports: false,
  usedExports: false,
};

function webpackLike(root: string, outdir: string, entry: string, minify: boolean, sourcemap: boolean) {
  return {
    context: root,
    mode: "production" as const,
    entry: { service: `./${entry}` },
    output: { path: outdir },
    resolve: { alias: { "@": join(root, "src") } },
    optimization: { minimize: minify },
    devtool: sourcemap ? ("source-map" as const) : (false as const),
  };
}

interface WebpackMessage {
  readonly message: string;
  readonly moduleName?: string;
  readonly file?: string;
  readonly loc?: string;
}

interface RunnableCompiler {
  run(
    done: (
      error: Error | null,
      stats?: { toJson(options: object): unknown; toString(options: object): string; hasErrors(): boolean },
    ) => void,
  ): void;
  close(done: (error?: Error | null) => void): void;
}

async function runWebpackLike(compiler: RunnableCompiler): Promise<BundleResult> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<BundleResult>();
  compiler.run((error, stats) => {
    if (error || !stats) return reject(error ?? new Error("no stats"));
    const json = stats.toJson({ all: false, errors: true, warnings: true }) as {
      errors: WebpackMessage[];
      warnings: WebpackMessage[];
    };
    const warnings = json.warnings.map(({ message }) => message);
    if (!stats.hasErrors()) return settle({ warnings });
    const places = json.errors.flatMap(({ file, moduleName, loc }) => {
      const [, line, column] = /^(\d+):(\d+)/.exec(loc ?? "") ?? [];
      const name = file ?? moduleName;
      return name !== undefined && line !== undefined
        ? [{ file: name, line: Number(line), column: Number(column) + 1 }]
        : [];
    });
    return settle({ failure: { text: stats.toString({ all: false, errors: true }), places }, warnings });
  });
  const result = await promise.finally(() => new Promise((done) => compiler.close(done)));
  return result;
}

function rollupFailure(error: unknown): BundleFailure {
  const { message, loc, errors } = error as Error & {
    loc?: { file: string; line: number; column: number };
    errors?: readonly unknown[];
  };
  return { text: errors === undefined ? message : message, places: loc ? [{ ...loc, column: loc.column + 1 }] : [] };
}

function disposable<T extends { close(): Promise<void> }>(build: T): T & AsyncDisposable {
  return Object.assign(build, { [Symbol.asyncDispose]: () => build.close() });
}

/** The work of `@rollup/plugin-node-resolve`, for the few forms that the fixtures use; honours `sideEffects`. */
function nodeResolution(root: string, outside: RegExp | undefined): RollupPlugin {
  return {
    name: "test-node-resolution",
    resolveId(id, importer) {
      if (importer === undefined || id.startsWith("\0") || id.startsWith("node:")) return null;
      if (outside?.test(id) === true) return { id, external: true };
      const file = locate(id, importer);
      return file === undefined
        ? null
        : { id: file, external: isCommonJs(file), moduleSideEffects: !isSideEffectFree(file) };
    },
  };

  function locate(id: string, importer: string): string | undefined {
    if (id.startsWith("@/")) return typescriptFile(join(root, "src", id.slice(2)));
    if (/^\.{0,2}\//.test(id)) return typescriptFile(resolve(dirname(importer), id));
    try {
      const file = createRequire(importer).resolve(id);
      // The form for `import` of a package that has both.
      const module = file.replace(/\.cjs$/, ".mjs");
      return existsSync(module) ? module : file;
    } catch {
      return undefined;
    }
  }

  function typescriptFile(path: string): string | undefined {
    return [path, path.replace(/\.js$/, ".ts")].find((file) => existsSync(file));
  }

  function isSideEffectFree(file: string): boolean {
    return packageOf(file).sideEffects === false;
  }

  /** Left out of the bundle: what `@rollup/plugin-commonjs` would do with it has nothing to do with this plugin. */
  function isCommonJs(file: string): boolean {
    return file.endsWith(".cjs") || (file.endsWith(".js") && packageOf(file).type !== "module");
  }

  function packageOf(file: string): { readonly sideEffects?: unknown; readonly type?: unknown } {
    for (let at = dirname(file); at !== dirname(at); at = dirname(at)) {
      const path = join(at, "package.json");
      if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as { sideEffects?: unknown; type?: unknown };
    }
    return {};
  }
}

function stripTypes(): RollupPlugin {
  return {
    name: "test-strip-types",
    async transform(code, id) {
      if (!id.endsWith(".ts")) return null;
      const { code: text, map } = await esbuild.transform(code, {
        loader: "ts",
        sourcefile: id,
        sourcemap: true,
        target: "es2024",
      });
      return { code: text, map };
    },
  };
}

function minifyChunks(): RollupPlugin {
  return {
    name: "test-minify",
    async renderChunk(code) {
      const { code: text, map } = await esbuild.transform(code, {
        minify: true,
        sourcemap: true,
        target: "es2024",
        format: "esm",
      });
      return { code: text, map };
    },
  };
}
