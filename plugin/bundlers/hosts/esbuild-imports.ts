import type { OnResolveArgs, PluginBuild } from "esbuild";
import type { Build } from "../../compile/build.ts";

const askedByUs = "tenon asks esbuild itself";

/**
 * Keeps imports that esbuild would drop because of a package's `sideEffects`. The callback is registered only if the
 * build can contain such a package: it runs for every import, which costs more than the rest of a build without
 * changes.
 */
export function keepToolImports(native: PluginBuild, build: Build): void {
  if (!build.mayMeetDroppable()) return;
  native.onResolve({ filter: /.*/ }, async (args) => {
    if (!mayBeDropped(args, build)) return undefined;
    const { importer, namespace, resolveDir, kind, with: attributes } = args;
    const found = await native.resolve(args.path, {
      importer,
      namespace,
      resolveDir,
      kind,
      with: attributes,
      pluginData: askedByUs,
    });
    if (found.errors.length > 0 || found.namespace !== "file" || !build.packages.registersTools(found.path))
      return undefined;
    return {
      path: found.path,
      suffix: found.suffix,
      namespace: "file",
      sideEffects: true,
      pluginData: found.pluginData,
    };
  });
}

function mayBeDropped({ kind, pluginData, namespace, importer, path }: OnResolveArgs, { packages }: Build): boolean {
  if (kind !== "import-statement" || pluginData === askedByUs || namespace !== "file") return false;
  if (/^(?:node:|data:|https?:)/.test(path) || /[\\/]node_modules[\\/]/.test(importer)) return false;
  if (!/^\.{1,2}(?:\/|$)/.test(path)) return true;
  // A relative import stays in its package, so the importing package's package.json decides.
  const root = packages.rootOf(importer);
  return root !== undefined && packages.mayDropImports(root);
}
