/**
 * The files of the built plugin beside its entries: `options` is what esbuild's entry loads before esbuild starts,
 * `core` all that a build without changes loads, `compiler` what compiles. Each entry is a file or a folder of
 * `plugin/`, without extension; what it imports is in its chunk too.
 */
export const pluginChunkParts: { readonly [chunk: string]: readonly string[] } = {
  options: ["compile/node-version", "compile/options"],
  core: [
    "compile/build",
    "hooks/module-hooks",
    "model/adopted",
    "model/service",
    "bundlers/hosts/esbuild-host",
    "bundlers/hosts/late-banners",
    "bundlers/hosts/rollup-host",
    "bundlers/hosts/vite-host",
  ],
  views: ["views/bundle-view"],
  compiler: ["read", "emit", "compile/compile-module"],
  adopt: ["adopt"],
};

/** The same for the bundler. */
export const pluginChunkGroups = Object.entries(pluginChunkParts).map(([name, parts], index, { length }) => ({
  name,
  test: new RegExp(`[\\\\/]plugin[\\\\/](?:${parts.join("|").replaceAll("/", "[\\\\/]")})(?:[\\\\/]|\\.[jt]s$)`),
  priority: length - index,
}));
