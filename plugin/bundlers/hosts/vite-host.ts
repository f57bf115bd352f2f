import type { ConfigEnv, Plugin, ResolvedConfig, UserConfig } from "vite";
import type { HookMode } from "../../hooks/module-hooks.ts";
import type { Build } from "../../compile/build.ts";
import { leavesOutside } from "./kept-outside.ts";
import { sharedHooks } from "./rollup-host.ts";
import { viteBuildDefaults, viteServeDefaults } from "./vite-defaults.ts";
import { mayConcern, startsService } from "../../packages/find-tool-files.ts";
import { viewImport } from "../../hooks/view-modules.ts";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { existingEntry } from "../../compile/config.ts";
import type { Packages } from "../../packages/packages.ts";

/** Plugin hook that only vitest declares. */
interface VitestHook {
  configureVitest(context: VitestContext): void;
}

/**
 * Makes the hooks for Vite: Rollup's hooks, without those for server output in client builds, and defaults for a plain
 * config.
 */
export function viteHost(build: Build, mode: HookMode): Partial<Plugin> & VitestHook {
  mode.leavesOutside = (context, importer) => !mode.serving && isOutside(context as BuildContext, importer);
  mode.hasSourceMaps = (context) => mode.serving || hasSourceMaps(context as BuildContext);
  const { banner, outputOptions, buildStart, buildEnd, generateBundle, writeBundle, watchChange } = sharedHooks(
    build,
    mode,
  );
  return {
    config(this: { meta?: { readonly rolldownVersion?: string } } | void, user: UserConfig, { command }: ConfigEnv) {
      if (command !== "build") return viteServeDefaults(user, this?.meta?.rolldownVersion !== undefined);
      // With Rollup itself, builtins are not replaced: the replacing modules are CommonJS, which it does not support.
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
    banner() {
      return this.environment.config.consumer === "server" ? banner() : "";
    },
    outputOptions(options) {
      return this.environment.config.consumer === "server" ? outputOptions(options) : options;
    },
    generateBundle,
    watchChange,
  };
}

/** The part of a hook's context that has the options of a build. */
interface BuildContext {
  readonly environment: { readonly config: Pick<ResolvedConfig, "resolve" | "build"> };
}

/** Packages that stay outside of a bundle, and exceptions. */
interface PackageOptions {
  readonly external?: readonly string[] | true;
  readonly noExternal?: unknown;
}

/** Decides in Vite's own order: a list of external packages, then `noExternal`, then `external: true`. */
function isOutside({ environment }: BuildContext, importer: string | undefined): boolean {
  const { resolve: packages, build } = environment.config;
  const { external, noExternal } = packages as PackageOptions;
  return (
    leavesOutside(external) ||
    leavesOutside(bundlerOptions(build).external, importer) ||
    (external === true && noExternal !== true && !leavesOutside(noExternal))
  );
}

function hasSourceMaps({ environment }: BuildContext): boolean {
  const { build } = environment.config;
  const outputs = [bundlerOptions(build).output].flat();
  return Boolean(build.sourcemap) || outputs.some((output) => Boolean(output?.sourcemap));
}

function bundlerOptions({ rolldownOptions, rollupOptions }: ResolvedConfig["build"]): typeof rollupOptions {
  return rolldownOptions ?? rollupOptions;
}

/** Decides about one module: `false` keeps it out of the cache. */
type CacheKeyGenerator = (module: { readonly id: string; readonly sourceCode: string }) => false | undefined;

/** The properties of the context of vitest's plugin hook that this plugin uses. */
interface VitestContext {
  /** Name of the method from vitest 5 on. */
  readonly defineCacheKeyGenerator?: (generator: CacheKeyGenerator) => void;
  /** Name of the method in vitest 4, whose cache is off by default. */
  readonly experimental_defineCacheKeyGenerator?: (generator: CacheKeyGenerator) => void;
}

/**
 * Keeps modules with tools, and views, out of vitest's cache of transformed modules. The key of that cache is only the
 * text of a file, so a tool would keep its old validator after a type in another file has changed.
 */
function leaveOutOfCache(context: VitestContext): void {
  const define = context.defineCacheKeyGenerator ?? context.experimental_defineCacheKeyGenerator;
  define?.(({ id, sourceCode }) => (viewImport.test(id) || mayConcern(id, sourceCode) ? false : undefined));
}

/** Part of Vite's dev server that prints its addresses. */
interface PrintingServer {
  readonly config: {
    readonly root: string;
    readonly logger: { info(line: string): void };
  };
  printUrls(): void;
}

/**
 * Prints, below the addresses of Vite's dev server, the command that serves the tools: Vite's server does not serve
 * them. Nothing is printed by servers that print no addresses, such as vitest's, or in a project without the entry of a
 * service.
 */
function addToolsLine(server: PrintingServer, packages: Pick<Packages, "rootOf">): void {
  const { root, logger } = server.config;
  const printUrls = server.printUrls.bind(server);
  server.printUrls = () => {
    printUrls();
    if (hasService(packages.rootOf(resolve(root, "index.html")) ?? root))
      logger.info("  ➜  Tools:   `npx tenon dev` serves the tools of this project");
  };
}

/** True for a package with the entry that `tenon dev` takes by default. */
function hasService(root: string): boolean {
  try {
    const entry = existingEntry(root);
    return entry !== undefined && startsService(readFileSync(entry, "utf8"));
  } catch {
    // Without valid options nothing is printed: commands and builds report invalid options.
    return false;
  }
}
