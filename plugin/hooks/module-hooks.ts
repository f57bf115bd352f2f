import { dirname, normalize } from "node:path";
import type { Build } from "../compile/build.ts";
import { importingCode, relevantCode, sourceFile, startsService } from "../packages/find-tool-files.ts";
import { builtinModuleId, builtinModuleText, builtinSpecifier, resolveBuiltin } from "./builtin-modules.ts";
import type { LoweredModule } from "../read/lower-decorators.ts";
import { undiciTransform } from "./transform-undici.ts";
import { missingPeerCode, missingPeerIds, optionalPeer, resolvePeer } from "../packages/optional-peer.ts";
import { bundledModule, isOwnFile, ownModule, ownSpecifier } from "../packages/own-module.ts";
import { lowerStandardDecorators, lowerUsing, mayDecorate, mayUse } from "./standard-decorators.ts";
import { insteadOfCompiled, ownScript } from "./compiled-modules.ts";
import { failInDev, type LocatedLog } from "./report.ts";
import { resolveView, viewImport, viewModule } from "./view-modules.ts";
import { createRewriter, type RewrittenModule } from "./rewrite-module.ts";

/** Properties of Vite that the shared hooks use. */
export interface ViteMode {
  /** True in a dev server or vitest. These do not bundle, so problems are reported when a module is requested. */
  serving: boolean;
  /** True if imports of `http` and `https` are replaced by tenon's modules, which some bundlers do not support. */
  builtins: boolean;
}

/** Differences between the bundlers that share these hooks. */
export interface HookMode extends ViteMode {
  /**
   * True for bundlers like Rollup: a transform decides whether a module is retained, and `import.meta.url` is that of
   * the output.
   */
  readonly isRollupLike: boolean;
  /** True if the bundler leaves `using` in its output, which older versions of Node do not support. */
  lowersUsing?: boolean;
  /** False if the output has no source maps, which would be made for nothing; default true. */
  hasSourceMaps?: (context: object) => boolean;
  /** True if the user leaves `tenon` outside of the bundle; `context` is that of the hook. */
  leavesOutside?: (context: object, importer: string | undefined) => boolean;
  /** True if watched files are added once per build instead of once per module, which is much cheaper. */
  readonly watchesForBuild?: true;
}

/** The common part of all plugin contexts. */
interface Context {
  addWatchFile(file: string): void;
  error(log: LocatedLog): void;
  warn(log: LocatedLog): void;
}

interface Transformed extends Pick<RewrittenModule, "code"> {
  readonly map: RewrittenModule["map"] | string;
  readonly moduleSideEffects?: true;
}

interface TransformHook {
  readonly order: "pre";
  readonly filter: { readonly id: RegExp[]; readonly code: RegExp[] };
  handler(this: Context, code: string, id: string): Promise<Transformed | undefined>;
}

interface ResolveHook {
  readonly filter: { readonly id: RegExp };
  handler(
    this: object,
    id: string,
    importer: string | undefined,
  ): string | { readonly id: string; readonly external: true } | undefined;
}

interface LoadHook {
  readonly filter: { readonly id: RegExp };
  handler(this: Context, id: string): Promise<string> | string | undefined;
}

/**
 * Hooks shared by all bundlers but esbuild, in the form of Rollup's plugins. Older versions do not support filters, so
 * each handler also filters itself.
 */
export interface ModuleHooks {
  readonly name: "tenon";
  readonly enforce: "pre";
  readonly transform: TransformHook;
  readonly resolveId: ResolveHook;
  readonly load: LoadHook;
}

/** Creates the shared hooks of one plugin instance. */
export function moduleHooks(build: Build, mode: HookMode): ModuleHooks {
  return {
    name: "tenon",
    enforce: "pre",
    transform: transformHook(build, mode),
    resolveId: resolveHook(build, mode),
    load: loadHook(build, mode),
  };
}

function transformHook(build: Build, mode: HookMode): TransformHook {
  const rewrite = createRewriter();
  const { isRollupLike } = mode;
  const lower = async (code: string, file: string): Promise<LoweredModule | undefined> =>
    isRollupLike ? lowerStandardDecorators(code, file) : mode.lowersUsing === true ? lowerUsing(code, file) : undefined;
  /** Generated code has neither decorators nor `using`, so that only the author's text is searched for them. */
  const mayLower = isRollupLike ? mayDecorate : mayUse;
  return {
    // Runs before other plugins strip types and comments, since this plugin reads both.
    order: "pre",
    filter: {
      id: [sourceFile, undiciTransform.filter, ownScript],
      code: [relevantCode, undiciTransform.code, ...(isRollupLike ? [importingCode, mayDecorate] : [mayUse])],
    },
    async handler(code, id) {
      if (!sourceFile.test(id)) {
        const script =
          ownScript.test(id) && relevantCode.test(code) ? insteadOfCompiled(normalize(id), code) : undefined;
        if (script !== undefined) return { code: script, map: null, ...(isRollupLike && { moduleSideEffects: true }) };
        const patched = undiciTransform.filter.test(id) ? undiciTransform.transform(code, id) : undefined;
        return patched === undefined ? undefined : { code: patched, map: null };
      }
      const file = normalize(id);
      if (isOwnFile(file)) return undefined;
      if (!relevantCode.test(code)) {
        const isKept = isRollupLike && importingCode.test(code) && build.packages.registersTools(file);
        const lowered = await lower(code, file);
        if (lowered === undefined && !isKept) return undefined;
        return { ...(lowered ?? { code, map: null }), ...(isKept && { moduleSideEffects: true }) };
      }
      const module = await build.compile(file, code);
      const watched = mode.watchesForBuild ? build.firstMet(module.dependencies) : module.dependencies;
      for (const dependency of watched) this.addWatchFile(dependency);
      if (mode.serving) failInDev(this, module.diagnostics, id);
      const mark = mode.serving || !startsService(code) ? undefined : build.packages.markOf(file);
      if (mark !== undefined) for (const input of build.packages.inputsOfMark(file)) this.addWatchFile(input);
      const rewritten = await rewrite(code, id, module, {
        ...(isRollupLike && { entry: "module" as const }),
        ...(mark !== undefined && { mark }),
        sourcemap: mode.hasSourceMaps?.(this) !== false,
      });
      const lowered = mayLower.test(code) ? await lower(rewritten?.code ?? code, file) : undefined;
      // Insertions do not change the line numbers of a module, so the source map of the lowering is sufficient.
      return lowered === undefined ? rewritten : { ...rewritten, ...lowered };
    },
  };
}

function resolveHook(build: Build, mode: HookMode): ResolveHook {
  return {
    filter: {
      id: new RegExp([ownSpecifier, optionalPeer, builtinSpecifier, viewImport].map(({ source }) => source).join("|")),
    },
    handler(id, importer) {
      if (viewImport.test(id)) return resolveView(id, importer && dirname(normalize(importer)));
      if (builtinSpecifier.test(id)) return mode.builtins && isForNode(this) ? resolveBuiltin(id) : undefined;
      // webpack and Rspack keep all that a module imports, so that one with only tools would bring the whole runtime.
      const own = mode.isRollupLike && !mode.serving ? bundledModule(id) : ownModule(id);
      if (own !== undefined) return mode.leavesOutside?.(this, importer) === true ? { id, external: true } : own;
      if (!optionalPeer.test(id)) return undefined;
      const root = build.projectRoot();
      const file = importer === undefined ? undefined : normalize(importer);
      const folder = file === undefined ? root : dirname(file);
      return resolvePeer({ specifier: id, folder, own: file !== undefined && isOwnFile(file), root });
    },
  };
}

/** False in Vite's builds for browsers, where an import of `http` is a polyfill. */
function isForNode(context: object): boolean {
  const { environment } = context as { readonly environment?: { readonly config: { readonly consumer: string } } };
  return environment?.config.consumer !== "client";
}

function loadHook(build: Build, mode: HookMode): LoadHook {
  return {
    filter: { id: new RegExp(`${missingPeerIds.source}|${builtinModuleId.source}|${viewImport.source}`) },
    handler(id) {
      return viewImport.test(id) ? loadView(this, id) : (builtinModuleText(id) ?? missingPeerCode(id));
    },
  };

  async function loadView(context: Context, id: string): Promise<string> {
    const { code, files, diagnostics } = await viewModule(build, normalize(id));
    for (const file of files) context.addWatchFile(file);
    if (mode.serving) failInDev(context, diagnostics, id);
    return code;
  }
}
