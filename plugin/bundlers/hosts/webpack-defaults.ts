import type { Compiler, WebpackOptionsNormalized } from "webpack";
import { composeBanner } from "../../hooks/banner.ts";
import { builtinExpressions } from "../../hooks/builtin-modules.ts";

/**
 * Fills in what a service needs that runs with `node` from an empty folder, before webpack fills in its own defaults.
 * What the user set stays as it is.
 */
export function applyWebpackDefaults(options: WebpackOptionsNormalized): void {
  options.target ??= "node22";
  const { output, resolve } = options;
  // The newest webpack 5 needs no experiment for modules any more; the older ones do.
  const experiments = options.experiments as { outputModule?: boolean };
  if (output.module === undefined && output.library === undefined && experiments.outputModule === undefined) {
    experiments.outputModule = true;
    output.module = true;
  }
  if (output.module === true) {
    output.filename ??= "[name].mjs";
    output.chunkFilename ??= "chunks/[name]-[contenthash].mjs";
    output.chunkFormat ??= "module";
  }
  // TypeScript's own spelling: `import "./tool.js"` names `tool.ts`.
  resolve.extensionAlias ??= { ".js": [".ts", ".tsx", ".js"], ".mjs": [".mts", ".mjs"] };
}

/** Lets imports of `http` and `https` lead to the patched modules; before webpack makes plain externals of them. */
export function addBuiltins(compiler: Compiler): boolean {
  const { target } = compiler.options;
  if (![target].flat().some((one) => String(one).startsWith("node"))) return false;
  new compiler.webpack.ExternalsPlugin("var", { ...builtinExpressions }).apply(compiler);
  return true;
}

/** What the banner asks when the chunks are written. */
export interface BannerFacts {
  readonly servesStdio: () => boolean;
  readonly builtins: boolean;
}

/** Puts the banner in front of every chunk. */
export function addWebpackBanners(compiler: Compiler, { servesStdio, builtins }: BannerFacts): void {
  // Rspack makes a new map at each look, so it is asked when the chunks are known.
  let isEntry = (_name: string): boolean => false;
  compiler.hooks.thisCompilation.tap("tenon", (compilation) => {
    isEntry = (name) => compilation.entrypoints.has(name);
  });
  new compiler.webpack.BannerPlugin({
    raw: true,
    test: /\.[cm]?js$/,
    // An entry's chunk has its name; other chunks that load at the start are no file to start again.
    banner: ({ chunk }) => composeBanner({ stdio: servesStdio(), entry: isEntry(chunk.name ?? ""), builtins }),
  }).apply(compiler);
}
