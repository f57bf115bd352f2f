/** One build in a process of its own, for `bench/build.ts`: `node build-once.mjs FOLDER [tenon|plain] [external]`. */
import { resolve } from "node:path";
import * as esbuild from "esbuild";
import { options } from "./esbuild-options.mjs";

const [folder, plugin, tenon] = process.argv.slice(2);
const given = options(resolve(folder), plugin);
if (tenon === "external") given.external.push("tenon");
const plugins = plugin === "tenon" ? [(await import("../dist/plugin/bundlers/esbuild.js")).default()] : [];
await esbuild.build({ ...given, plugins });
await esbuild.stop();
