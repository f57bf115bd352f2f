/** One build in a process of its own, for `bench/build.ts`: `node build-once.mjs FOLDER [tenon|plain]`. */
import { resolve } from "node:path";
import * as esbuild from "esbuild";
import { options } from "./esbuild-options.mjs";

const [folder, plugin] = process.argv.slice(2);
const plugins = plugin === "tenon" ? [(await import("../dist/plugin/bundlers/esbuild.js")).default()] : [];
await esbuild.build({ ...options(resolve(folder), plugin), plugins });
await esbuild.stop();
