import { createUnplugin, type UnpluginInstance } from "unplugin";
import { createBuild } from "../compile/build.ts";
import { mayBeOldNode } from "./hosts/webpack-defaults.ts";
import { webpackHost } from "./hosts/webpack-host.ts";
import { type HookMode, moduleHooks } from "../hooks/module-hooks.ts";
import { readOptions, type TenonOptions } from "../compile/options.ts";

/**
 * The plugin for webpack and Rspack, made by unplugin, since these have no module hooks of their own. The other
 * bundlers do not need unplugin.
 */
export const tenon: UnpluginInstance<TenonOptions | undefined, false> = createUnplugin((given) => {
  const build = createBuild(readOptions(given));
  const mode: HookMode = { serving: false, builtins: false, isRollupLike: false };
  return {
    ...moduleHooks(build, mode),
    webpack(compiler) {
      webpackHost(build, compiler);
      // Set for webpack, whose own stripping of types leaves `using` in the output; Rspack's loader lowers it.
      mode.lowersUsing = mayBeOldNode(compiler.options.target);
    },
    rspack: (compiler) => webpackHost(build, compiler),
  };
});
