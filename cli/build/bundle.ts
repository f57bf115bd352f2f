import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { OutputChunk, RolldownOptions } from "rolldown";
import tenon from "../../plugin/bundlers/rolldown.ts";
import { ownModule, ownSpecifier } from "../../plugin/packages/own-module.ts";
import { compilerReaders } from "../../plugin/index.ts";
import { withOwnColours } from "../base/colours.ts";
import { say } from "../base/output.ts";
import type { Project } from "../project/project.ts";
import { CommandError } from "../base/usage.ts";
import { chunkGroups } from "./chunk-groups.ts";
import { writeCodeCache } from "./code-cache.ts";
import { chunkOf, removeOldChunks, removeOldForms, usedChunks } from "./old-chunks.ts";
import { keepOutside, type OutsidePackage, type OutsidePackages } from "./outside-packages.ts";
import { collectUnresolved, type UnresolvedImports } from "./unresolved-imports.ts";
import { withoutFacades } from "./without-facades.ts";
import { withoutRuntimeMaps } from "./without-runtime-maps.ts";

export interface BundleOptions {
  /** Absolute folder for the output. */
  readonly outdir: string;
  readonly minify?: boolean;
  /** Writes one file instead of chunks: easier to copy, slower to start. */
  readonly single?: boolean;
  /** Writes source maps also for chunks without a module of the author's. */
  readonly sourceMaps?: boolean;
  readonly cache?: boolean;
  /** Writes V8's code cache beside the chunks that every start reads. */
  readonly codeCache?: boolean;
  /** Writes declarations of the entry's exports. */
  readonly declarations?: boolean;
  /** `false`: does not write the service definition. */
  readonly definition?: boolean;
  /** Hides warnings, since the command prints something else afterwards. */
  readonly quiet?: boolean;
  /** Shows each warning separately instead of grouping them. */
  readonly verbose?: boolean;
  /** Names of packages that are not bundled, in addition to those of the project, and to those with native code. */
  readonly external?: readonly string[];
}

export interface BundledFile {
  /** Path relative to the output folder. */
  readonly file: string;
  readonly bytes: number;
  readonly entry: boolean;
}

/** A bundle that was written. */
export interface Bundled {
  readonly files: readonly BundledFile[];
  /** Packages that the bundle imports from a node_modules. */
  readonly outside: readonly OutsidePackage[];
  /** Names of packages that are optional dependencies of others and not installed. */
  readonly missing: readonly string[];
}

interface Watched {
  readonly outside: OutsidePackages;
  readonly unresolved: UnresolvedImports;
}

/**
 * Resolves imports of tenon to single modules of the runtime, instead of the grouped ones, so that {@link chunkGroups}
 * can group them.
 */
const ungroupedRuntime = {
  name: "ungrouped-runtime",
  resolveId: { filter: { id: ownSpecifier }, handler: (id: string) => ownModule(id) },
};

/** Options with which rolldown makes a self-contained service out of an entry; shared by `build` and `call`. */
function rolldownOptions(project: Project, options: BundleOptions, { outside, unresolved }: Watched): RolldownOptions {
  return {
    input: project.entry,
    cwd: project.root,
    platform: "node",
    plugins: [
      outside.plugin,
      ungroupedRuntime,
      tenon({
        ...(options.cache === false && { cache: false }),
        ...(options.verbose === true && { verbose: true }),
        ...(options.definition === false && { service: false }),
      }),
      withoutFacades,
      ...(options.sourceMaps === true ? [] : [withoutRuntimeMaps]),
    ],
    onLog: (level, log) => {
      unresolved.note(log);
      // Errors are thrown as exceptions, and warnings about bundled packages do not concern the author.
      if (level === "warn" && log.plugin === "tenon" && options.quiet !== true) say(log.message);
    },
    experimental: {
      // Omits the comments with module paths: they would be a tenth of a small chunk, and every start reads them.
      attachDebugInfo: "none",
      // Files that code names by `new URL("…", import.meta.url)` are written beside the bundle.
      resolveNewUrlToAsset: true,
    },
    output: {
      dir: options.outdir,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "chunks/[name]-[hash].mjs",
      sourcemap: true,
      minify: options.minify === true,
      minifyInternalExports: false,
      // Documentation in a bundle is useless, and every start would read all of it.
      comments: { jsdoc: false },
      codeSplitting: options.single !== true && { groups: chunkGroups },
    },
  };
}

/** Writes the bundle; a finding in the author's code is a `CommandError` with the whole report. */
export async function bundle(project: Project, options: BundleOptions): Promise<Bundled> {
  const outside = keepOutside(project.root, [...(project.external ?? []), ...(options.external ?? [])]);
  const unresolved = collectUnresolved(project.root);
  const { outdir } = options;
  const begun = Date.now();
  const before = usedChunks(outdir);
  const tidy = (files: readonly BundledFile[]): void => {
    const entries = files.filter(({ entry }) => entry).map(({ file }) => file);
    removeOldChunks(outdir, entries, before, begun);
  };
  // Bundles again until no further native package is found: only a bundle shows which packages are native.
  for (;;) {
    try {
      const files = await write(project, options, { outside, unresolved });
      const { errors, optional } = unresolved.take();
      if (errors.length === 0) {
        tidy(files);
        removeOldForms(outdir, files);
        return { files, outside: outside.list(), missing: optional };
      }
      // The bundler reports unresolved imports after the files are written. Chunks of the build before stay.
      for (const { file } of files) if (!before.has(chunkOf(file))) rmSync(join(outdir, file), { force: true });
      tidy(files);
      throw unbuildable(project, errors);
    } catch (error) {
      const { errors } = unresolved.take();
      if (outside.learned()) continue;
      throw errors.length > 0 ? unbuildable(project, errors) : asCommandError(error, project);
    }
  }
}

async function write(project: Project, options: BundleOptions, watched: Watched): Promise<readonly BundledFile[]> {
  const { rolldown } = await import("rolldown");
  const { output, ...input } = rolldownOptions(project, options, watched);
  const build = await rolldown(input);
  try {
    if (output === undefined || Array.isArray(output)) throw new TypeError("rolldownOptions gives one output");
    const { output: files } = await build.write(output);
    const chunks = files.filter((file): file is OutputChunk => file.type === "chunk");
    const inGroups = chunks.filter(({ name }) => chunkGroups.some((group) => group.name === name));
    const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, Buffer.byteLength(code)]));
    if (options.codeCache === true) {
      for (const { file, bytes } of await writeCodeCache(options.outdir, inGroups)) sizes.set(file, bytes);
    }
    const entries = new Map(chunks.flatMap((chunk) => (chunk.isEntry ? [[chunk.fileName, chunk] as const] : [])));
    const listed = [...sizes].map(([file, bytes]) => ({ file, bytes, entry: entries.has(file) }));
    if (options.declarations !== true) return listed;
    const declared = await declare(project, options.outdir, [...entries.values()]);
    return [...listed, ...declared];
  } finally {
    await build.close();
  }
}

/** Writes types of the entries' exports; the compiler is loaded only for entries that export something. */
async function declare(project: Project, outdir: string, entries: OutputChunk[]): Promise<readonly BundledFile[]> {
  const exporting = entries.filter(({ exports }) => exports.length > 0);
  if (exporting.length === 0) return [];
  const { declarationsOf } = await compilerReaders.declarations();
  const { isolatedDeclarationSync } = await import("rolldown/experimental");
  const { code, errors } = isolatedDeclarationSync(project.entry, readFileSync(project.entry, "utf8"));
  const text = declarationsOf(project.root, project.entry, outdir, errors.length === 0 ? code : undefined);
  return exporting.flatMap(({ fileName }) => {
    if (text === undefined) return [];
    const file = fileName.replace(/\.mjs$/, ".d.mts");
    writeFileSync(join(outdir, file), text);
    return [{ file, bytes: Buffer.byteLength(text), entry: false }];
  });
}

/** Converts a bundler's error into text without tenon's own stack; rolldown combines several errors into one. */
export function asCommandError(error: unknown, project: Project): CommandError {
  if (error instanceof CommandError) return error;
  const found = (error as { errors?: readonly { message: string }[] }).errors ?? [error as Error];
  return unbuildable(
    project,
    found.map((one) => one.message.replaceAll(`${project.root}/`, "")),
  );
}

/** The error for an entry that cannot be built, with the reasons. */
export function unbuildable({ entry }: Project, reasons: readonly string[]): CommandError {
  const told = withOwnColours(reasons.join("\n\n"));
  return new CommandError(`${relative(process.cwd(), entry)} could not be built.\n\n${told}`);
}
