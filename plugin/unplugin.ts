import { dirname, normalize } from "node:path";
import { createUnplugin, type UnpluginContextMeta, type UnpluginInstance, type UnpluginOptions } from "unplugin";
import { type Build, createBuild } from "./build.ts";
import { importingCode, relevantCode, sourceFile, startsService } from "./find-tool-files.ts";
import { esbuildHost } from "./hosts/esbuild-host.ts";
import { rolldownHost, rollupHost } from "./hosts/rollup-host.ts";
import { viteHost, type ViteMode } from "./hosts/vite-host.ts";
import { webpackHost } from "./hosts/webpack-host.ts";
import { readOptions, type TenonOptions } from "./options.ts";
import { builtinModuleText, builtinModuleId, builtinSpecifier, resolveBuiltin } from "./outbound/builtin-modules.ts";
import { undiciTransform } from "./outbound/transform-undici.ts";
import { missingPeerCode, missingPeerId, optionalPeer, resolvePeer } from "./optional-peer.ts";
import { isOwnFile, ownModule, ownSpecifier } from "./own-module.ts";
import { failInDev } from "./report.ts";
import { createRewriter } from "./rewrite-module.ts";

/** The plugin for every bundler; the entries `tenon/vite`, `tenon/esbuild` … each hand out one of its members. */
export const tenon: UnpluginInstance<TenonOptions | undefined, false> = createUnplugin((given, { framework }) => {
  const build = createBuild(readOptions(given));
  const mode: ViteMode = { serving: false, builtins: framework === "rolldown" };
  return {
    name: "tenon",
    enforce: "pre",
    // The other bundlers begin in their hosts, with their entries.
    ...(framework === "esbuild" && { buildStart: () => build.start() }),
    // esbuild's host reads files itself, without the detour of a promise for each, and resolves to files of its own kind.
    ...(framework !== "esbuild" && {
      transform: transformHook(build, mode, framework),
      resolveId: resolveHook(build, mode),
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
  const rewrite = createRewriter();
  // In Rollup's family a transform is where a module is kept; webpack is told in its host.
  const isRollupLike = framework === "rollup" || framework === "rolldown" || framework === "vite";
  return {
    // Before anything strips the types and the comments that the plugin reads.
    order: "pre",
    filter: {
      id: [sourceFile, undiciTransform.filter],
      code: [relevantCode, undiciTransform.code, ...(isRollupLike ? [importingCode] : [])],
    },
    async handler(code, id) {
      if (!sourceFile.test(id)) {
        const patched = undiciTransform.transform(code, id);
        return patched === undefined ? undefined : { code: patched, map: null };
      }
      const file = normalize(id);
      if (isOwnFile(file)) return undefined;
      if (!relevantCode.test(code)) {
        return build.packages.registersTools(file) ? { code, map: null, moduleSideEffects: true } : undefined;
      }
      const module = await build.compile(file, code);
      for (const dependency of module.dependencies) this.addWatchFile(dependency);
      if (mode.serving) failInDev(this, module.diagnostics, id);
      const version = mode.serving || !startsService(code) ? undefined : build.packages.versionOf(file);
      return rewrite(code, id, module, { markEntry: isRollupLike, ...(version !== undefined && { version }) });
    },
  };
}

function resolveHook(build: Build, mode: ViteMode): UnpluginOptions["resolveId"] {
  return {
    filter: { id: new RegExp(`${ownSpecifier.source}|${optionalPeer.source}|${builtinSpecifier.source}`) },
    handler(id, importer) {
      if (builtinSpecifier.test(id)) return mode.builtins && isForNode(this) ? resolveBuiltin(id) : undefined;
      const own = ownModule(id);
      if (own !== undefined) return own;
      const root = build.projectRoot();
      const file = importer === undefined ? undefined : normalize(importer);
      const folder = file === undefined ? root : dirname(file);
      return resolvePeer({ specifier: id, folder, own: file !== undefined && isOwnFile(file), root });
    },
  };
}

/** Vite also builds for browsers, where such an import is somebody's polyfill. */
function isForNode(context: object): boolean {
  const { environment } = context as { readonly environment?: { readonly config: { readonly consumer: string } } };
  return environment?.config.consumer !== "client";
}

const loadHook: UnpluginOptions["load"] = {
  filter: { id: new RegExp(`^${missingPeerId}$|${builtinModuleId.source}`) },
  handler: (id) => builtinModuleText(id) ?? missingPeerCode,
};
