import { dirname, extname } from "node:path";
import type {
  BuildOptions,
  Loader,
  Location,
  OnResolveArgs,
  OnResolveResult,
  PartialMessage,
  PluginBuild,
} from "esbuild";
import type { Build } from "../build.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { isPeerInstalled, missingPeerCode, missingPeerId, optionalPeer } from "../optional-peer.ts";
import { ownModule, ownSpecifier } from "../own-module.ts";
import { applyEsbuildDefaults, entryFiles } from "./esbuild-defaults.ts";

/** What esbuild needs beside the shared transform. */
export interface EsbuildHost {
  readonly onLoadFilter: RegExp;
  readonly loader: (code: string, id: string) => Loader;
  readonly config: (options: BuildOptions) => void;
  readonly setup: (native: PluginBuild) => void;
}

const askedByUs = "tenon asks esbuild itself";

/** Hooks for esbuild: defaults, resolution, located messages, the definition. `loaded` is filled by the transform. */
export function esbuildHost(build: Build, loaded: Set<string>): EsbuildHost {
  let loaders: { [extension: string]: Loader } = {};
  return {
    onLoadFilter: /\.[cm]?tsx?$/,
    loader: (_code, id) => loaders[extname(id)] ?? (id.endsWith("x") ? "tsx" : "ts"),
    config(options) {
      loaders = options.loader ?? {};
      applyEsbuildDefaults(options);
    },
    setup(native) {
      for (const file of entryFiles(native.initialOptions)) build.enter(file);
      native.onStart(() => loaded.clear());
      keepToolImports(native, build);
      if (!isExternal(native.initialOptions, "tenon")) resolveOwnModules(native);
      if (!isExternal(native.initialOptions, "openai")) standInForPeer(native);
      native.onEnd((result) => {
        const outcome = build.finish(loaded);
        const { diagnostics } = outcome;
        if (native.initialOptions.write !== false && result.errors.length === 0) build.write(outcome);
        return {
          errors: diagnostics.filter(({ level }) => level === "error").map(toMessage),
          warnings: diagnostics.filter(({ level }) => level === "warning").map(toMessage),
        };
      });
    },
  };
}

/** Where the import is about to be dropped because of a package's `sideEffects`, esbuild is told otherwise. */
function keepToolImports(native: PluginBuild, build: Build): void {
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
  // A relative import stays in its package, whose package.json decides.
  const root = packages.rootOf(importer);
  return root !== undefined && packages.mayDropImports(root);
}

function resolveOwnModules(native: PluginBuild): void {
  native.onResolve({ filter: ownSpecifier }, ({ path }): OnResolveResult => ({ path: ownModule(path) ?? path }));
}

/** Whether the user keeps a package out of the bundle. */
function isExternal({ packages, external = [] }: BuildOptions, name: string): boolean {
  return packages === "external" || external.some((one) => one === name || one.startsWith(`${name}/`));
}

function standInForPeer(native: PluginBuild): void {
  const { absWorkingDir = process.cwd() } = native.initialOptions;
  native.onResolve({ filter: optionalPeer }, ({ importer, resolveDir }): OnResolveResult | undefined => {
    if (isPeerInstalled([resolveDir || dirname(importer), absWorkingDir])) return undefined;
    return { path: missingPeerId, namespace: "tenon-peer" };
  });
  native.onLoad({ filter: /.*/, namespace: "tenon-peer" }, () => ({ contents: missingPeerCode, loader: "js" }));
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
  // esbuild counts bytes, and columns from 0.
  const [before, marked] = [lineText.slice(0, column - 1), lineText.slice(column - 1, column - 1 + length)];
  return { file, line, column: Buffer.byteLength(before), length: Buffer.byteLength(marked), lineText };
}
