import { join, resolve } from "node:path";
import type { Compilation, Compiler, WebpackOptionsNormalized } from "webpack";
import { composeBanner, type ModuleKind } from "../../hooks/banner.ts";
import { builtinExpressions } from "../../hooks/builtin-modules.ts";
import type { EntryKinds } from "../../packages/entry-kind.ts";
import { sourceFile } from "../../packages/find-tool-files.ts";
import { ownModules, ownSpecifier } from "../../packages/own-module.ts";
import { leavesOutside } from "./kept-outside.ts";

/**
 * Sets defaults for a service that runs with `node` from an empty folder, before webpack sets its own. The user's own
 * options stay. Options apply to all entries, so if one entry has no tools, webpack's defaults stay.
 */
export function applyWebpackDefaults(
  options: WebpackOptionsNormalized,
  { allServices, someOther }: Pick<EntryKinds, "allServices" | "someOther">,
): void {
  const { output } = options;
  // A list of its own, since webpack's functions have other parameters than those of Rollup.
  const externals = [options.externals].flat();
  if (leavesOutside(externals)) options.externals = [...externals, partsLike(externals)];
  // TypeScript's own spelling is supported: `import "./tool.js"` means `tool.ts`.
  options.resolve.extensionAlias ??= { ".js": [".ts", ".tsx", ".js"], ".mjs": [".mts", ".mjs"] };
  if (someOther) return;
  options.target ??= "node22";
  // The newest webpack 5 needs no experiment for modules; older ones do.
  const experiments = options.experiments as { outputModule?: boolean };
  if (output.module === undefined && output.library === undefined && experiments.outputModule === undefined) {
    experiments.outputModule = true;
    output.module = true;
  }
  if (output.module !== true) return;
  output.chunkFormat ??= "module";
  if (!allServices) return;
  output.filename ??= "[name].mjs";
  output.chunkFilename ??= "chunks/[name]-[contenthash].mjs";
}

/** Leaves the parts of tenon outside in the way of `tenon` itself, for example by `require` for `commonjs tenon`. */
function partsLike(externals: readonly unknown[]): RegExp | Record<string, string> {
  for (const one of externals) {
    const value = typeof one === "object" && one !== null ? (one as { readonly tenon?: unknown }).tenon : undefined;
    const way = typeof value === "string" ? /^[a-z\d-]+ (?=tenon$)/.exec(value)?.[0] : undefined;
    if (way !== undefined) return Object.fromEntries(Object.keys(ownModules).map((name) => [name, `${way}${name}`]));
  }
  return ownSpecifier;
}

/**
 * Returns absolute paths of entries by name. An entry that is a function has no path here, since only webpack calls the
 * function.
 */
export function entryPaths({
  entry,
  context = process.cwd(),
}: WebpackOptionsNormalized): ReadonlyMap<string, readonly string[]> {
  const named = typeof entry === "function" ? [] : Object.entries(entry);
  return new Map(named.map(([name, one]) => [name, (one.import ?? []).map((path) => resolve(context, path))]));
}

/** True for a target whose oldest Node version may not support `using`. */
export function mayBeOldNode(target: WebpackOptionsNormalized["target"]): boolean {
  return ![target].flat().some((one) => /^(?:async-)?node(?:2[4-9]|[3-9]\d)/.test(String(one)));
}

/** Replaces imports of `http` and `https` by the patched modules, before webpack makes them externals. */
export function addBuiltins(compiler: Compiler): boolean {
  const { target } = compiler.options;
  if (![target].flat().some((one) => String(one).startsWith("node"))) return false;
  new compiler.webpack.ExternalsPlugin("var", { ...builtinExpressions }).apply(compiler);
  return true;
}

/** Data for the banner, which is read when the chunks are written. */
export interface BannerFacts {
  readonly servesStdio: () => boolean;
  readonly builtins: boolean;
  /** Names of entries without a tool, which get no banner. */
  readonly foreign: ReadonlySet<string>;
}

/** Adds the banner to every chunk. */
export function addWebpackBanners(compiler: Compiler, { servesStdio, builtins, foreign }: BannerFacts): void {
  // Rspack creates a new map on each access, so the map is read once, when the chunks are known.
  let isEntry = (_name: string): boolean => false;
  let isForeign = (_file: string): boolean => false;
  compiler.hooks.thisCompilation.tap("tenon", (compilation) => {
    isEntry = (name) => compilation.entrypoints.has(name);
    isForeign = (file) => foreign.size > 0 && !filesOfOthers(compilation, foreign).has(file);
  });
  new compiler.webpack.BannerPlugin({
    raw: true,
    test: /\.[cm]?js$/,
    // Only entry chunks are marked as startable. An entry's chunk has the entry's name; other initial chunks cannot be
    // started by themselves.
    banner: ({ chunk, filename }) =>
      isForeign(filename)
        ? ""
        : composeBanner({
            stdio: servesStdio(),
            builtins,
            ...(isEntry(chunk.name ?? "") && { entry: moduleKind(compiler) }),
          }),
  }).apply(compiler);
}

/** Returns the files that the entries without tools load initially. */
function filesOfOthers({ entrypoints }: Compilation, foreign: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...entrypoints].flatMap(([name, one]) => (foreign.has(name) ? [] : one.getFiles())));
}

/** The module kind of the compiler's output. */
export function moduleKind({ options }: Compiler): ModuleKind {
  return options.output.module === true ? "module" : "commonjs";
}

/** Adds Rspack's own loader for TypeScript, unless a rule of the user is for such files. */
export function addRspackTypescript(compiler: Compiler): void {
  const { module, context } = compiler.options;
  if (!("rspackVersion" in compiler.webpack)) return;
  const file = join(context ?? process.cwd(), "src/service.ts");
  if (module.rules.some((rule) => concerns(rule, file))) return;
  module.rules.push({
    test: sourceFile,
    loader: "builtin:swc-loader",
    options: {
      jsc: {
        parser: { syntax: "typescript", tsx: true, decorators: true },
        transform: { decoratorVersion: "2022-03" },
        target: "es2024",
      },
    },
  });
}

type Rule = Compiler["options"]["module"]["rules"][number];

/**
 * True for a rule that may compile the file, itself or by a nested rule. Also true for a condition that only Rspack can
 * evaluate.
 */
function concerns(rule: Rule | null | undefined | false | "" | 0, file: string): boolean {
  if (rule === null || typeof rule !== "object") return rule === "...";
  const inner = [...(rule.oneOf ?? []), ...(rule.rules ?? [])];
  const condition = rule.test ?? rule.resource;
  const mayMatch = condition instanceof RegExp ? condition.test(file) : condition !== undefined;
  if (condition !== undefined && !mayMatch) return false;
  const compiles = rule.loader !== undefined || rule.use !== undefined;
  return (compiles && mayMatch) || inner.some((one) => concerns(one, file));
}
