/**
 * Bundlers with an entry of their own: `tenon/<name>` is `plugin/bundlers/<name>.ts`. Exports, the build, and the tests
 * that run every bundler are made from this list.
 */
export const bundlerNames = ["vite", "rollup", "rolldown", "esbuild", "webpack", "rspack"] as const;
