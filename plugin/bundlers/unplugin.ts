import { createUnplugin, type UnpluginInstance } from "unplugin";
import { createBuild } from "../compile/build.ts";
import { webpackHost } from "./hosts/webpack-host.ts";
import { moduleHooks } from "../hooks/module-hooks.ts";
import { readOptions, type TenonOptions } from "../compile/options.ts";

/**
 * The plugin for webpack and Rspack, which have no module hooks of their own; the other bundlers do not need unplugin.
 */
export const tenon: UnpluginInstance<TenonOptions | undefined, false> = createUnplugin((given) => {
  const build = createBuild(readOptions(given));
  return {
    ...moduleHooks(build, { serving: false, builtins: false, isRollupLike: false }),
    webpack: (compiler) => webpackHost(build, compiler),
    rspack: (compiler) => webpackHost(build, compiler),
  };
});
