/** One build in a process of its own, for `bench/build.ts`: `node build-once.mjs FOLDER [tenon|plain] [cache|no-cache]`. */
import { resolve } from "node:path";
import * as esbuild from "esbuild";

const [folder, plugin, cache] = process.argv.slice(2);
const root = resolve(folder);
const plugins = [];
if (plugin === "tenon") {
  const { default: tenon } = await import("../dist/plugin/esbuild.js");
  plugins.push(tenon({ cache: cache !== "no-cache" }));
}
await esbuild.build({
  absWorkingDir: root,
  entryPoints: ["src/service.ts"],
  outdir: `out/${plugin}`,
  bundle: true,
  platform: "node",
  format: "esm",
  splitting: true,
  outExtension: { ".js": ".mjs" },
  external: ["openai"],
  logLevel: "error",
  plugins,
});
await esbuild.stop();
