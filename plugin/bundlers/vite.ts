import type { Plugin } from "vite";
import { createBuild } from "../compile/build.ts";
import { viteHost } from "./hosts/vite-host.ts";
import { type HookMode, moduleHooks } from "../hooks/module-hooks.ts";
import { scriptHooks } from "../hooks/standard-decorators.ts";
import { readOptions, type TenonOptions } from "../compile/options.ts";

const plugin: (options?: TenonOptions) => Plugin[] = (options) => {
  const build = createBuild(readOptions(options));
  const mode: HookMode = { serving: false, builtins: false, isRollupLike: true };
  return [{ ...moduleHooks(build, mode), ...viteHost(build, mode) }, scriptHooks()];
};
export default plugin;
