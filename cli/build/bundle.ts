import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { OutputChunk, RolldownOptions } from "rolldown";
import tenon from "../../plugin/bundlers/rolldown.ts";
import { say } from "../base/output.ts";
import type { Project } from "../project/project.ts";
import { CommandError } from "../base/usage.ts";
import { chunkGroups } from "./chunk-groups.ts";
import { writeCodeCache } from "./code-cache.ts";
import { withoutFacades } from "./without-facades.ts";

export interface BundleOptions {
  /** Absolute folder for the output. */
  readonly outdir: string;
  readonly minify?: boolean;
  /** Writes one file instead of chunks: easier to copy, slower to start. */
  readonly single?: boolean;
  readonly cache?: boolean;
  /** Writes compiled code beside the chunks that every start reads. */
  readonly codeCache?: boolean;
  /** `false`: does not write the service definition. */
  readonly definition?: boolean;
}

export interface BundledFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly bytes: number;
  readonly entry: boolean;
}

/** Options of rolldown for a self-contained service; shared by `build` and `call`. */
function rolldownOptions(project: Project, options: BundleOptions): RolldownOptions {
  return {
    input: project.entry,
    cwd: project.root,
    platform: "node",
    plugins: [
      tenon({ cache: options.cache ?? true, ...(options.definition === false && { service: false }) }),
      withoutFacades,
    ],
    onLog: (level, log) => {
      // Errors come as exceptions. Warnings about bundled packages are not the author's concern.
      if (level === "warn" && log.plugin === "tenon") say(log.message);
    },
    // A comment with the path of each module is a tenth of a small chunk, and every start reads it.
    experimental: { attachDebugInfo: "none" },
    output: {
      dir: options.outdir,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "chunks/[name]-[hash].mjs",
      sourcemap: true,
      minify: options.minify === true,
      minifyInternalExports: false,
      // Nobody reads documentation in a bundle, and every start reads all of it.
      comments: { jsdoc: false },
      codeSplitting: options.single !== true && { groups: chunkGroups },
    },
  };
}

/** Writes the bundle. Errors in the author's code throw a `CommandError` with the whole report. */
export async function bundle(project: Project, options: BundleOptions): Promise<readonly BundledFile[]> {
  const { rolldown } = await import("rolldown");
  const { output, ...input } = rolldownOptions(project, options);
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
    const written = [...files.map(({ fileName }) => fileName), ...sizes.keys()];
    removeStale(join(options.outdir, "chunks"), new Set(written.map((file) => basename(file))));
    const entries = new Set(chunks.flatMap(({ fileName, isEntry }) => (isEntry ? [fileName] : [])));
    return [...sizes].map(([file, bytes]) => ({ file, bytes, entry: entries.has(file) }));
  } catch (error) {
    throw asCommandError(error, project);
  } finally {
    await build.close();
  }
}

/** Chunk names have a hash, so each build would leave the chunks of the last one behind. */
function removeStale(folder: string, written: ReadonlySet<string>): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name), { recursive: true });
}

/** Converts a bundler's error into text without our stack; rolldown combines several into one. */
export function asCommandError(error: unknown, project: Project): CommandError {
  const found = (error as { errors?: readonly { message: string }[] }).errors ?? [error as Error];
  const text = found.map((one) => one.message.replaceAll(`${project.root}/`, "")).join("\n\n");
  return new CommandError(`${relative(process.cwd(), project.entry)} could not be built.\n\n${text}`);
}
