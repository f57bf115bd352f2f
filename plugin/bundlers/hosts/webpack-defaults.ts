import type { Compiler, WebpackOptionsNormalized } from "webpack";
import { composeBanner } from "../../hooks/banner.ts";
import { builtinExpressions } from "../../hooks/builtin-modules.ts";

/**
 * Sets defaults for a service that runs with `node` from an empty folder, before webpack sets its own. The user's own
 * options stay.
 */
export function applyWebpackDefaults(options: WebpackOptionsNormalized): void {
  options.target ??= "node22";
  const { output, resolve } = options;
  // The newest webpack 5 needs no experiment for modules; older ones do.
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
  // TypeScript's own spelling: `import "./tool.js"` means `tool.ts`.
  resolve.extensionAlias ??= { ".js": [".ts", ".tsx", ".js"], ".mjs": [".mts", ".mjs"] };
}

/** Replaces imports of `http` and `https` by the patched modules, before webpack makes them externals. */
export function addBuiltins(compiler: Compiler): boolean {
  const { target } = compiler.options;
  if (![target].flat().some((one) => String(one).startsWith("node"))) return false;
  new compiler.webpack.ExternalsPlugin("var", { ...builtinExpressions }).apply(compiler);
  return true;
}

/** Facts for the banner, read when the chunks are written. */
export interface BannerFacts {
  readonly servesStdio: () => boolean;
  readonly builtins: boolean;
}

/** Adds the banner to every chunk. */
export function addWebpackBanners(compiler: Compiler, { servesStdio, builtins }: BannerFacts): void {
  // Rspack creates a new map on each access, so it is read once, when the chunks are known.
  let isEntry = (_name: string): boolean => false;
  compiler.hooks.thisCompilation.tap("tenon", (compilation) => {
    isEntry = (name) => compilation.entrypoints.has(name);
  });
  new compiler.webpack.BannerPlugin({
    raw: true,
    test: /\.[cm]?js$/,
    // An entry's chunk has its name. Other chunks that load at the start cannot be started themselves.
    banner: ({ chunk }) => composeBanner({ stdio: servesStdio(), entry: isEntry(chunk.name ?? ""), builtins }),
  }).apply(compiler);
}
