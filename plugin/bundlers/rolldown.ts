import type { Plugin } from "rolldown";
import { createBuild } from "../compile/build.ts";
import { rolldownHost } from "./hosts/rollup-host.ts";
import { type HookMode, moduleHooks } from "../hooks/module-hooks.ts";
import { scriptHooks } from "../hooks/standard-decorators.ts";
import { readOptions, type TenonOptions } from "../compile/options.ts";

const plugin: (options?: TenonOptions) => Plugin[] = (options) => {
  const build = createBuild(readOptions(options));
  const mode: HookMode = { serving: false, builtins: true, isRollupLike: true, watchesForBuild: true };
  return [{ ...moduleHooks(build, mode), ...rolldownHost(build, mode) }, scriptHooks()];
};
export default plugin;
