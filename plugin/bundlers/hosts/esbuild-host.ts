import { readText } from "../../read/base/read-text.ts";
import { basename, dirname, extname, resolve } from "node:path";
import type { BuildOptions, Location, OnLoadResult, OnResolveResult, PartialMessage, PluginBuild } from "esbuild";
import type { Build } from "../../compile/build.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { relevantCode, sourceFile, startsService } from "../../packages/find-tool-files.ts";
import { entryKinds } from "../../packages/entry-kind.ts";
import { missingPeerCode, missingPeerIds, optionalPeer, peerNames, resolvePeer } from "../../packages/optional-peer.ts";
import { cannotRun } from "../../packages/output-form.ts";
import { bundledModule, isOwnFile, ownAliases, ownSpecifier } from "../../packages/own-module.ts";
import { insteadOfCompiled, ownScript } from "../../hooks/compiled-modules.ts";
import { rewriteModule } from "../../hooks/rewrite-module.ts";
import { dropForeignBanners } from "./esbuild-banners.ts";
import { applyEsbuildDefaults, entryFiles } from "./esbuild-defaults.ts";
import { sourceFilter } from "./esbuild-filter.ts";
import { keepToolImports } from "./esbuild-imports.ts";
import { patchClients } from "./esbuild-clients.ts";
import { nameDynamicImports } from "./esbuild-dynamic.ts";
import { guardStdio, stdioMark } from "./esbuild-stdio.ts";
import { resolveView, viewImport, viewModule } from "../../hooks/view-modules.ts";

const namespace = "tenon-view";

/** Converts the views that tools name to modules. */
function loadViews(native: PluginBuild, build: Build): void {
  native.onResolve({ filter: viewImport }, ({ path, resolveDir }): OnResolveResult | undefined => {
    const id = resolveView(path, resolveDir);
    return id === undefined ? undefined : { path: id, namespace };
  });
  native.onLoad({ filter: viewImport, namespace }, async ({ path }): Promise<OnLoadResult> => {
    const { code, files } = await viewModule(build, path);
    return { contents: code, loader: "js", resolveDir: dirname(path), watchFiles: [...files] };
  });
}

/**
 * Sets up esbuild: defaults, resolution, modules with tools, located messages, the definition.
 *
 * @param isSingle True for a single build, not for one of a context.
 */
export function setUpEsbuild(native: PluginBuild, build: Build, isSingle: boolean): void {
  const entries = entryFiles(native.initialOptions);
  const kinds = entryKinds(entries);
  const banner = applyEsbuildDefaults(native.initialOptions, kinds);
  const loaded = new Set<string>();
  for (const file of entries) build.enter(file);
  // Starts when this turn ends, in which esbuild sends its first message. Errors in options are reported by the start.
  const warm = new Promise(setImmediate).then(() => build.warm()).catch(() => undefined);
  native.onStart(async () => {
    await warm;
    loaded.clear();
    build.start();
  });
  loadModules(native, build, loaded, isSingle);
  leadToSources(native, loaded);
  loadViews(native, build);
  nameDynamicImports(native, build.packages);
  patchClients(native);
  if (kinds.someOther && banner !== undefined) dropForeignBanners(native, banner, loaded);
  guardStdio(native, build);
  keepToolImports(native, build);
  if (native.initialOptions.bundle === true && !isExternal(native.initialOptions, "tenon")) resolveOwnModules(native);
  standInForPeers(native, build);
  native.onEnd((result) => {
    const outcome = build.finish(loaded, result.errors.length === 0);
    const { diagnostics } = outcome;
    if (native.initialOptions.write !== false && result.errors.length === 0) build.write(outcome);
    return {
      errors: diagnostics.filter(({ level }) => level === "error").map(toMessage),
      warnings: [
        ...diagnostics.filter(({ level }) => level === "warning").map(toMessage),
        ...(loaded.size > 0 ? tellUnrunnable(native.initialOptions, build) : []),
      ],
    };
  });
}

/** Rewrites modules with tools, and the entry; all other files are left to esbuild. */
function loadModules(native: PluginBuild, build: Build, loaded: Set<string>, isSingle: boolean): void {
  const { loader: loaders = {}, sourcemap } = native.initialOptions;
  native.onLoad(
    { filter: sourceFilter(native, build, isSingle), namespace: "file" },
    async ({ path, suffix }): Promise<OnLoadResult | undefined> => {
      const code = suffix === "" && sourceFile.test(path) && !isOwnFile(path) ? readText(path) : undefined;
      if (code === undefined || !relevantCode.test(code)) return undefined;
      loaded.add(path);
      const module = await build.compile(path, code);
      const mark = startsService(code) ? build.packages.markOf(path) : undefined;
      const inputs = mark === undefined ? [] : build.packages.inputsOfMark(path);
      const wantsMap = sourcemap !== undefined && sourcemap !== false;
      const rewritten = await rewriteModule(code, path, module, {
        entry: native.initialOptions.format === "esm" ? "module" : "commonjs",
        sourcemap: wantsMap,
        ...(mark !== undefined && { mark }),
      });
      const { code: text, map } = rewritten ?? { code, map: null };
      const contents = module.stdio === true ? `${text}\n${stdioMark}` : text;
      return {
        contents: map === null ? contents : `${contents}\n//# sourceMappingURL=${map.toUrl()}`,
        loader: loaders[extname(path)] ?? (path.endsWith("x") ? "tsx" : "ts"),
        resolveDir: dirname(path),
        // Lists each dependency for one module only: esbuild watches a file as soon as any module lists it. A single
        // build watches nothing, and esbuild's library takes as long for the lists as the plugin for the modules.
        ...(!isSingle && { watchFiles: [path, ...build.firstMet(module.dependencies), ...inputs] }),
      };
    },
  );
}

/**
 * Handles JavaScript of the project and of workspace packages: its tools are reported, or read from their TypeScript
 * sources.
 */
function leadToSources(native: PluginBuild, loaded: Set<string>): void {
  native.onLoad({ filter: ownScript, namespace: "file" }, ({ path }): OnLoadResult | undefined => {
    const code = isOwnFile(path) ? undefined : readText(path);
    if (code === undefined || !relevantCode.test(code)) return undefined;
    loaded.add(path);
    const contents = insteadOfCompiled(path, code);
    return contents === undefined ? undefined : { contents, loader: "js", resolveDir: dirname(path) };
  });
}

/**
 * Resolves imports of tenon to the runtime of this plugin. Every module with a tool has such imports, so they are
 * resolved by aliases, for which esbuild needs no callback. If other plugins resolve imports too, or the user has an
 * alias for tenon, a callback is used instead.
 */
function resolveOwnModules({ initialOptions, onResolve }: PluginBuild): void {
  const { plugins = [], alias = {} } = initialOptions;
  const isAlone = plugins.length === 1 && !Object.keys(alias).some((name) => /^tenon(?:\/|$)/.test(name));
  if (isAlone) initialOptions.alias = { ...alias, ...ownAliases() };
  else onResolve({ filter: ownSpecifier }, ({ path }): OnResolveResult => ({ path: bundledModule(path) ?? path }));
}

/** True when the user keeps a package out of the bundle. */
function isExternal({ packages, external = [] }: BuildOptions, name: string): boolean {
  return packages === "external" || external.some((one) => one === name || one.startsWith(`${name}/`));
}

function standInForPeers(native: PluginBuild, build: Build): void {
  const bundled = peerNames.filter((name) => !isExternal(native.initialOptions, name));
  native.onResolve(
    { filter: optionalPeer },
    ({ path: specifier, importer, resolveDir }): OnResolveResult | undefined => {
      if (!bundled.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return undefined;
      const folder = resolveDir || dirname(importer);
      const path = resolvePeer({ specifier, folder, own: isOwnFile(importer), root: build.projectRoot() });
      if (path === undefined) return undefined;
      return missingPeerIds.test(path) ? { path, namespace: "tenon-peer" } : { path };
    },
  );
  native.onLoad({ filter: /.*/, namespace: "tenon-peer" }, ({ path }) => ({
    contents: missingPeerCode(path) ?? "",
    loader: "js",
  }));
}

function tellUnrunnable(options: BuildOptions, { packages }: Build): readonly PartialMessage[] {
  const { format, platform, outdir = ".", outfile, outExtension, absWorkingDir = process.cwd() } = options;
  if (platform !== "node" || (format !== "esm" && format !== "cjs" && format !== undefined)) {
    return [{ text: 'tenon: tools run on Node: set `platform: "node"` and `format: "esm"`.' }];
  }
  const form = {
    folder: resolve(absWorkingDir, outfile === undefined ? outdir : dirname(outfile)),
    file: outfile === undefined ? `*${outExtension?.[".js"] ?? ".js"}` : basename(outfile),
    kind: format === "esm" ? ("module" as const) : ("commonjs" as const),
    options: { extension: 'outExtension: { ".js": ".mjs" }', format: 'format: "esm"' },
  };
  const text = cannotRun(form, packages);
  return text === undefined ? [] : [{ text }];
}

function toMessage(diagnostic: Diagnostic): PartialMessage {
  const { code, message, fix } = diagnostic;
  return {
    id: code,
    text: `${code}: ${message}`,
    location: toLocation(diagnostic),
    ...(fix !== undefined && { notes: [{ text: `fix: ${fix}` }] }),
  };
}

function toLocation({ file, line, column = 1, length = 0, lineText }: Diagnostic): Partial<Location> | null {
  if (file === undefined || line === undefined) return null;
  if (lineText === undefined) return { file, line, column: column - 1, length };
  // Converts the position: esbuild counts bytes, and columns from 0.
  const [before, marked] = [lineText.slice(0, column - 1), lineText.slice(column - 1, column - 1 + length)];
  return { file, line, column: Buffer.byteLength(before), length: Buffer.byteLength(marked), lineText };
}
