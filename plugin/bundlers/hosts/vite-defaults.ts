import { readText } from "../../read/base/read-text.ts";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { BuildEnvironmentOptions, UserConfig } from "vite";
import { existingEntry } from "../../compile/config.ts";
import { startsService } from "../../packages/find-tool-files.ts";
import { entryKinds } from "../../packages/entry-kind.ts";
import { inputFiles } from "./rollup-host.ts";

/** Name of Vite's options for its bundler; `rolldownOptions` since Vite 8. */
export type BundlerOptionsName = "rollupOptions" | "rolldownOptions";

/**
 * Returns defaults for a plain Vite config that builds a service: a server build of the entry, for Node, with all
 * dependencies bundled. Options of the user are never overridden. Empty when the user builds something else.
 */
export function viteBuildDefaults(user: UserConfig, name: BundlerOptionsName, cwd: string = process.cwd()): UserConfig {
  const root = resolve(cwd, user.root ?? ".");
  const { build = {} } = user;
  const bundler = { ...build.rollupOptions, ...build.rolldownOptions };
  const given = typeof build.ssr === "string" ? build.ssr : (bundler.input ?? libraryEntry(build));
  const entry = given === undefined && !existsSync(resolve(root, "index.html")) ? existingEntry(root) : undefined;
  const files = entry === undefined ? inputFiles(given).map((file) => resolve(root, file)) : [entry];
  const isPage = files.some((file) => file.endsWith(".html"));
  const isService = !isPage && files.some((file) => startsService(readText(file) ?? ""));
  const { allServices, allOther } = entryKinds(files);
  if (!isService && (!build.ssr || allOther)) return {};
  return {
    build: {
      ...(build.ssr === undefined && { ssr: true }),
      ...(build.target === undefined && { target: "node22" }),
      [name]: {
        ...(entry !== undefined && { input: entry }),
        ...(allServices && { output: namesFor(bundler.output) }),
      },
    },
    ...(user.ssr?.noExternal === undefined && user.ssr?.external === undefined && { ssr: { noExternal: true } }),
  };
}

/**
 * Returns Vite options for vitest and the dev server, which by default do not lower the syntax of modules, although
 * older versions of Node do not support `using`. Empty if this Node supports `using`, or if the user has set a target.
 */
export function viteServeDefaults(user: UserConfig, hasOxc: boolean, node: string = process.versions.node): UserConfig {
  const own = hasOxc ? user.oxc : user.esbuild;
  if (Number.parseInt(node, 10) >= 24 || own === false || own?.target !== undefined) return {};
  return hasOxc ? { oxc: { target: "node22" } } : { esbuild: { target: "node22" } };
}

function libraryEntry({ lib }: BuildEnvironmentOptions): unknown {
  return lib ? lib.entry : undefined;
}

// A list of outputs is left unchanged: Vite would add these options as a further output.
function namesFor(output: unknown): { entryFileNames?: string; chunkFileNames?: string } {
  if (Array.isArray(output)) return {};
  const set = typeof output === "object" && output !== null ? output : {};
  return {
    ...(!("entryFileNames" in set) && { entryFileNames: "[name].mjs" }),
    ...(!("chunkFileNames" in set) && { chunkFileNames: "chunks/[name]-[hash].mjs" }),
  };
}
