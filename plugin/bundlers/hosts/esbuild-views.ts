import { dirname } from "node:path";
import type { OnLoadResult, OnResolveResult, PluginBuild } from "esbuild";
import type { Build } from "../../compile/build.ts";
import { resolveView, viewImport, viewModule } from "../../hooks/view-modules.ts";

const namespace = "tenon-view";

/** Makes modules of the views that tools name. */
export function loadViews(native: PluginBuild, build: Build): void {
  native.onResolve({ filter: viewImport }, ({ path, resolveDir }): OnResolveResult | undefined => {
    const id = resolveView(path, resolveDir);
    return id === undefined ? undefined : { path: id, namespace };
  });
  native.onLoad({ filter: viewImport, namespace }, async ({ path }): Promise<OnLoadResult> => {
    const { code, files } = await viewModule(build, path);
    return { contents: code, loader: "js", resolveDir: dirname(path), watchFiles: [...files] };
  });
}
