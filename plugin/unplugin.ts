import { dirname, normalize } from "node:path";
import { createUnplugin, type UnpluginContextMeta, type UnpluginInstance, type UnpluginOptions } from "unplugin";
import { type Build, createBuild } from "./build.ts";
import { importingCode, relevantCode, sourceFile, startsService } from "./find-tool-files.ts";
import { esbuildHost } from "./hosts/esbuild-host.ts";
import { rolldownHost, rollupHost } from "./hosts/rollup-host.ts";
import { viteHost, type ViteMode } from "./hosts/vite-host.ts";
import { webpackHost } from "./hosts/webpack-host.ts";
import { readOptions, type TenonOptions } from "./options.ts";
import { isPeerInstalled, missingPeerCode, missingPeerId, optionalPeer } from "./optional-peer.ts";
import { isOwnFile, ownModule, ownSpecifier } from "./own-module.ts";
import { failInDev } from "./report.ts";
import { rewriteModule } from "./rewrite-module.ts";

/** The plugin for every bundler; the entries `tenon/vite`, `tenon/esbuild` … each hand out one of its members. */
export const tenon: UnpluginInstance<TenonOptions | undefined, false> = createUnplugin((given, { framework }) => {
  const build = createBuild(readOptions(given));
  const mode: ViteMode = { serving: false };
  return {
    name: "tenon",
    enforce: "pre",
    // The other bundlers begin in their hosts, with their entries.
    ...(framework === "esbuild" && { buildStart: () => build.start() }),
    // esbuild's host reads files itself, without the detour of a promise for each, and resolves to files of its own kind.
    ...(framework !== "esbuild" && {
      transform: transformHook(build, mode, framework),
      resolveId: resolveHook,
      load: loadHook,
    }),
    ...(framework === "rollup" && { rollup: rollupHost(build) }),
    ...(framework === "rolldown" && { rolldown: rolldownHost(build) }),
    ...(framework === "vite" && { vite: viteHost(build, mode) }),
    ...(framework === "esbuild" && { esbuild: esbuildHost(build) }),
    webpack: (compiler) => webpackHost(build, compiler),
    rspack: (compiler) => webpackHost(build, compiler),
  };
});

type TransformHook = Extract<NonNullable<UnpluginOptions["transform"]>, { handler: unknown }> & {
  readonly order: "pre";
};

function transformHook(build: Build, mode: ViteMode, framework: UnpluginContextMeta["framework"]): TransformHook {
  // In Rollup's family a transform is where a module is kept; webpack is told in its host.
  const isRollupLike = framework === "rollup" || framework === "rolldown" || framework === "vite";
  return {
    // Before anything strips the types and the comments that the plugin reads.
    order: "pre",
    filter: { id: sourceFile, code: isRollupLike ? [relevantCode, importingCode] : relevantCode },
    async handler(code, id) {
      const file = normalize(id);
      if (isOwnFile(file)) return undefined;
      if (!relevantCode.test(code)) {
        return build.packages.registersTools(file) ? { code, map: null, moduleSideEffects: true } : undefined;
      }
      const module = await build.compile(file, code);
      for (const dependency of module.dependencies) this.addWatchFile(dependency);
      if (mode.serving) failInDev(this, module.diagnostics, id);
      const version = mode.serving || !startsService(code) ? undefined : build.packages.versionOf(file);
      return rewriteModule(code, id, module, { markEntry: isRollupLike, ...(version !== undefined && { version }) });
    },
  };
}

const resolveHook: UnpluginOptions["resolveId"] = {
  filter: { id: new RegExp(`${ownSpecifier.source}|${optionalPeer.source}`) },
  handler(id, importer) {
    const own = ownModule(id);
    if (own !== undefined) return own;
    const folders = [process.cwd(), ...(importer === undefined ? [] : [dirname(importer)])];
    return isPeerInstalled(folders) ? undefined : missingPeerId;
  },
};

const loadHook: UnpluginOptions["load"] = {
  filter: { id: new RegExp(`^${missingPeerId}$`) },
  handler: () => missingPeerCode,
};
