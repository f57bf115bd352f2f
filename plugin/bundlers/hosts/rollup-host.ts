import type { InputOptions } from "rolldown";
import { dirname, resolve } from "node:path";
import { composeBanner } from "../../hooks/banner.ts";
import type { HookMode } from "../../hooks/module-hooks.ts";
import type { Build } from "../../compile/build.ts";
import type { Outcome } from "../../compile/outcome/outcome.ts";
import { type EntryKinds, entryKinds } from "../../packages/entry-kind.ts";
import { cannotRun } from "../../packages/output-form.ts";
import { leavesOutside } from "./kept-outside.ts";
import { dropBanners, type OutputFile } from "./late-banners.ts";
import { type ModuleGraph, startOfEntriesWith } from "./module-graph.ts";
import { BuildError, type LocatedLog, reportText, toLog } from "../../hooks/report.ts";

/** The part of a plugin context that Rollup, Rolldown and Vite share. */
interface Context extends ModuleGraph {
  warn(log: LocatedLog): void;
}

interface OutputNames {
  file?: string | undefined;
  format?: string | undefined;
  entryFileNames?: unknown;
  chunkFileNames?: unknown;
}

/** Text that Rolldown puts before a chunk without changing it. */
type PostBanner<C> = string | ((chunk: C) => string | Promise<string>);

/** Option of Rolldown alone. */
interface OutputBanners {
  postBanner?: PostBanner<never> | undefined;
}

/** Hooks that Rollup, Rolldown and Vite have in common. */
export interface SharedHooks {
  buildStart(options: { readonly input: unknown; readonly cwd?: string | undefined }): void;
  buildEnd(this: Context, error?: Error): void;
  writeBundle(this: Context, options: OutputPlace, bundle: Readonly<Record<string, OutputFile>>): void;
  banner(): string;
  outputOptions<T extends OutputBanners>(options: T): T;
  generateBundle(this: Context, options: unknown, bundle: Readonly<Record<string, OutputFile>>): void;
  watchChange(id: string): void;
}

/** Reports all problems at the end of the build, and writes the definition after the bundle. */
export function sharedHooks(build: Build, mode: { readonly builtins: boolean }): SharedHooks {
  let outcome: Outcome | undefined;
  let kinds: EntryKinds | undefined;
  let started: ReadonlySet<string> | undefined;
  const banner = (): string =>
    composeBanner({ commonJsNames: true, stdio: build.servesStdio(), builtins: mode.builtins });
  /** False for modules that are imported only by entries without a tool. */
  const runsBehindTools = (graph: ModuleGraph, ids: readonly string[]): boolean => {
    if (kinds?.someOther !== true) return true;
    started ??= startOfEntriesWith(graph, build.isOurs);
    return ids.some((id) => started?.has(id) === true);
  };
  return {
    buildStart({ input, cwd = process.cwd() }) {
      for (const file of inputFiles(input)) build.enter(resolve(cwd, file));
      kinds = kindsOf({ input, cwd });
      started = undefined;
      build.start();
    },
    buildEnd(error) {
      outcome = build.finish(this.getModuleIds(), error === undefined);
      const { diagnostics, failed } = outcome;
      if (!failed) for (const one of diagnostics) this.warn(toLog(one));
      // The bundler's own error remains visible, so tenon's findings are added as warnings.
      else if (error) this.warn({ message: reportText(diagnostics) });
      else throw new BuildError(diagnostics);
    },
    writeBundle(options, bundle) {
      if (outcome) build.write(outcome);
      const entries = Object.values(bundle).filter(({ isEntry }) => isEntry === true);
      const ours = entries.filter(({ moduleIds = [] }) => runsBehindTools(this, moduleIds));
      const text = ours
        .map(({ fileName }) => tellUnrunnable(fileName, options, build))
        .find((one) => one !== undefined);
      if (text !== undefined) this.warn({ message: text });
    },
    banner: () => (mode.builtins ? "" : banner()),
    // Rolldown parses the text of `banner` and prints it again, so it could not be found in a chunk afterwards.
    outputOptions: (options) => (mode.builtins ? withPostBanner(options, banner) : options),
    generateBundle(_options, bundle) {
      dropBanners(bundle, banner(), ({ moduleIds = [] }) => runsBehindTools(this, moduleIds));
    },
    watchChange: (id) => build.invalidate(id),
  };
}

/** The paths in an `input` option, which may be a text, a list or an object. */
export function inputFiles(input: unknown): readonly string[] {
  const list = typeof input === "object" && input !== null ? Object.values(input) : [input];
  return list.filter((one) => typeof one === "string");
}

/** The hooks of Rollup: the shared ones, and names for the output of services. */
export interface RollupHost extends SharedHooks {
  options<T extends { readonly input?: unknown; readonly cwd?: string; readonly external?: unknown }>(options: T): T;
  outputOptions<T extends OutputNames & OutputBanners>(options: T): T;
}

/** Adds Rollup's own hooks to the shared ones. */
export function rollupHost(build: Build, mode: HookMode): RollupHost {
  let kinds: EntryKinds | undefined;
  const shared = sharedHooks(build, mode);
  return {
    ...shared,
    options(options) {
      kinds = kindsOf(options);
      mode.leavesOutside = (_, importer) => leavesOutside(options.external, importer);
      return options;
    },
    outputOptions: (options) => shared.outputOptions(kinds?.allServices === true ? withModuleNames(options) : options),
  };
}

/** Hooks of Rolldown: the hooks of Rollup, with the oldest supported Node as the platform. */
export interface RolldownHost extends Omit<RollupHost, "options"> {
  options(options: InputOptions): InputOptions;
}

/** Adds Rolldown's own hooks to the shared ones. */
export function rolldownHost(build: Build, mode: HookMode): RolldownHost {
  const host = rollupHost(build, mode);
  return {
    ...host,
    options(options) {
      const { input, cwd, external } = options;
      host.options({ input, external, ...(cwd !== undefined && { cwd }) });
      if (kindsOf(options).someOther) return options;
      return {
        ...options,
        platform: options.platform ?? "node",
        transform: { ...options.transform, target: options.transform?.target ?? "node22" },
      };
    },
  };
}

function kindsOf({ input, cwd = process.cwd() }: { readonly input?: unknown; readonly cwd?: string }): EntryKinds {
  return entryKinds(inputFiles(input).map((file) => resolve(cwd, file)));
}

interface OutputPlace {
  readonly dir?: string | undefined;
  readonly file?: string | undefined;
  readonly format?: string | undefined;
}

function tellUnrunnable(file: string, { dir, file: path, format }: OutputPlace, build: Build): string | undefined {
  const kind = format === "es" ? "module" : format === "cjs" ? "commonjs" : undefined;
  if (kind === undefined) return undefined;
  const folder = resolve(dir ?? dirname(path ?? ""));
  const options = { extension: 'output: { entryFileNames: "[name].mjs" }', format: 'output: { format: "es" }' };
  return cannotRun({ folder, file, kind, options }, build.packages);
}

/** Puts the banner before that of the user. */
function withPostBanner<T extends OutputBanners>(options: T, banner: () => string): T {
  const { postBanner: theirs = "" } = options;
  const postBanner = async (chunk: never): Promise<string> =>
    [banner(), typeof theirs === "string" ? theirs : await theirs(chunk)].filter(Boolean).join("\n");
  return { ...options, postBanner };
}

// A `.mjs` file runs as an ES module in any folder, whatever package.json is beside it.
function withModuleNames<T extends OutputNames>(options: T): T {
  const { file, format = "es", entryFileNames = "[name].mjs", chunkFileNames = "chunks/[name]-[hash].mjs" } = options;
  if (file !== undefined || !["es", "esm", "module"].includes(format)) return options;
  return { ...options, entryFileNames, chunkFileNames };
}
