import type { ConfigEnv, Plugin, ResolvedConfig, UserConfig } from "vite";
import type { ViteMode } from "../../hooks/module-hooks.ts";
import type { Build } from "../../compile/build.ts";
import { sharedHooks } from "./rollup-host.ts";
import { leaveOutOfCache, type VitestContext } from "./vitest-cache.ts";
import { addToolsLine } from "./vite-tools-line.ts";
import { viteBuildDefaults, viteServeDefaults } from "./vite-defaults.ts";

/** vitest's own hook, which only it declares. */
interface VitestHook {
  configureVitest(context: VitestContext): void;
}

/** Rollup's hooks without those for server output in client builds, and defaults for a plain config. */
export function viteHost(build: Build, mode: ViteMode): Partial<Plugin> & VitestHook {
  const { banner, generateBundle, buildStart, buildEnd, writeBundle, watchChange } = sharedHooks(build, mode);
  return {
    config(this: { meta?: { readonly rolldownVersion?: string } } | void, user: UserConfig, { command }: ConfigEnv) {
      if (command !== "build") return viteServeDefaults(user, this?.meta?.rolldownVersion !== undefined);
      // Rollup itself does not know CommonJS, which those modules are.
      mode.builtins = this?.meta?.rolldownVersion !== undefined;
      return viteBuildDefaults(user, mode.builtins ? "rolldownOptions" : "rollupOptions");
    },
    configureVitest: leaveOutOfCache,
    configureServer(server) {
      addToolsLine(server, build.packages);
    },
    configResolved({ command }: ResolvedConfig) {
      mode.serving = command === "serve";
    },
    buildStart({ input }) {
      buildStart({ input, cwd: this.environment.config.root });
    },
    buildEnd(error) {
      if (!mode.serving) buildEnd.call(this, error);
    },
    writeBundle,
    banner(chunk) {
      return this.environment.config.consumer === "server" ? banner.call(this, chunk) : "";
    },
    generateBundle,
    watchChange,
  };
}
