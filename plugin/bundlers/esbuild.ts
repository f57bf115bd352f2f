// Imported as a namespace: with a named import that an old Node lacks, this module would fail before `requireNode` can
// report the version.
import * as nodeModule from "node:module";
import type { Plugin } from "esbuild";
import { isCalledByBuild } from "./hosts/esbuild-caller.ts";
import type { Build } from "../compile/build.ts";
import { requireNode } from "../compile/node-version.ts";
import { readOptions, type TenonOptions } from "../compile/options.ts";

const plugin: (options?: TenonOptions) => Plugin = (given) => {
  requireNode();
  const options = readOptions(given);
  let build: Build | undefined;
  return {
    name: "tenon",
    // Loads the rest of the plugin while esbuild's own process starts, with Node's cache of compiled code.
    async setup(native) {
      nodeModule.enableCompileCache();
      // Read before anything is awaited: later, the call stack no longer shows who called esbuild.
      const isSingle = isCalledByBuild();
      const [{ createBuild }, { setUpEsbuild }] = await Promise.all([
        import("../compile/build.ts"),
        import("./hosts/esbuild-host.ts"),
      ]);
      setUpEsbuild(native, (build ??= createBuild(options)), isSingle);
    },
  };
};
export default plugin;
