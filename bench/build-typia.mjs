/** One build with unplugin-typia in a process of its own: `node build-typia.mjs FOLDER`. */
import { resolve } from "node:path";
import typia from "@ryoppippi/unplugin-typia/esbuild";
import * as esbuild from "esbuild";
import { options } from "./esbuild-options.mjs";

const folder = resolve(process.argv[2]);
// The plugin searches the tsconfig in the working directory.
process.chdir(folder);
await esbuild.build({ ...options(folder, "typia"), plugins: [typia({ cache: false, log: false })] });
await esbuild.stop();
