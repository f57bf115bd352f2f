import type { Plugin } from "rollup";
import { createBuild } from "../compile/build.ts";
import { rollupAlone } from "./hosts/rollup-alone.ts";
import { rollupHost } from "./hosts/rollup-host.ts";
import { withSharedChunk } from "./hosts/shared-chunk.ts";
import { type HookMode, moduleHooks } from "../hooks/module-hooks.ts";
import { readOptions, type TenonOptions } from "../compile/options.ts";

const plugin: (options?: TenonOptions) => Plugin = (options) => {
  const build = createBuild(readOptions(options));
  const mode: HookMode = { serving: false, builtins: false, isRollupLike: true };
  const hooks = moduleHooks(build, mode);
  const host = rollupHost(build, mode);
  const { withLastPlugins, resolveId } = rollupAlone(hooks);
  return {
    ...hooks,
    ...host,
    resolveId,
    options: (options) => withLastPlugins(host.options(options)),
    outputOptions: (options) => withSharedChunk(host.outputOptions(options)),
  };
};
export default plugin;
