import { readFileSync } from "node:fs";
import type { PluginBuild } from "esbuild";
import { builtinModuleId, builtinModuleText, builtinSpecifier, resolveBuiltin } from "../../hooks/builtin-modules.ts";
import { undiciTransform } from "../../hooks/transform-undici.ts";
import { isModuleForNode } from "./esbuild-defaults.ts";

const namespace = "tenon-builtin";

/** Connects copies of undici to the outbound hook, and `http` and `https` if the banner says so. */
export function patchClients(native: PluginBuild): void {
  native.onLoad({ filter: undiciTransform.filter, namespace: "file" }, ({ path, suffix, with: attributes }) => {
    // Imports with a suffix or an attribute are skipped, since they are not imports of a module.
    if (suffix !== "" || attributes["type"] !== undefined) return undefined;
    const contents = undiciTransform.transform(readFileSync(path, "utf8"), path);
    return contents === undefined ? undefined : { contents, loader: "js" };
  });
  if (!isModuleForNode(native.initialOptions)) return;
  native.onResolve({ filter: builtinSpecifier }, ({ path }) => ({ path: resolveBuiltin(path) ?? path, namespace }));
  native.onLoad({ filter: builtinModuleId, namespace }, ({ path }) => ({
    contents: builtinModuleText(path) ?? "",
    loader: "js",
  }));
}
