/**
 * Leaves the modules of a project as the plugin hands them to esbuild, for `bench/build.ts`: a build of them without
 * the plugin does what a build with it does, except for what the plugin itself takes. `node write-generated.mjs
 * FOLDER`.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import * as esbuild from "esbuild";
import tenon from "../dist/plugin/bundlers/esbuild.js";
import { options } from "./esbuild-options.mjs";

const texts = new Map();
const plugin = tenon();
const recorder = {
  name: plugin.name,
  setup: (build) =>
    plugin.setup({
      ...build,
      onLoad: (filter, load) =>
        build.onLoad(filter, async (file) => {
          const loaded = await load(file);
          if (loaded !== undefined && file.namespace === "file") texts.set(file.path, loaded.contents);
          return loaded;
        }),
    }),
};
await esbuild.build({ ...options(resolve(process.argv[2]), "generated"), plugins: [recorder] });
await esbuild.stop();
for (const [path, text] of texts) writeFileSync(path, text);
