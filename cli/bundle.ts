import { rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { OutputChunk, RolldownOptions } from "rolldown";
import tenon from "../plugin/rolldown.ts";
import type { Project } from "./project.ts";
import { CommandError } from "./usage.ts";

export interface BundleOptions {
  /** Absolute folder for the output. */
  readonly outdir: string;
  readonly minify?: boolean;
  /** One file instead of chunks: easier to copy, slower to start. */
  readonly single?: boolean;
  readonly cache?: boolean;
  /** `false`: the committed definition stays as it is. */
  readonly definition?: boolean;
  /** Packages stay in one chunk that does not change with the author's code, so that a running process loads it once. */
  readonly dev?: boolean;
}

export interface BundledFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly bytes: number;
  readonly entry: boolean;
}

// The runtime of this package, also where a link leads out of node_modules to it.
const packages = /[\\/]node_modules[\\/]|[\\/]tenon[\\/]dist[\\/]|[\\/]dist[\\/]runtime[\\/]/;

/** Options with which rolldown makes a self-contained service out of an entry; shared by `build`, `dev` and `call`. */
export function rolldownOptions(project: Project, options: BundleOptions): RolldownOptions {
  return {
    input: project.entry,
    cwd: project.root,
    platform: "node",
    plugins: [tenon({ cache: options.cache ?? true, ...(options.definition === false && { service: false }) })],
    // Each finding is printed once, by the plugin's own report.
    logLevel: "silent",
    output: {
      dir: options.outdir,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "chunks/[name]-[hash].mjs",
      sourcemap: true,
      minify: options.minify === true,
      ...(options.single === true && { codeSplitting: false }),
      ...(options.dev === true && { codeSplitting: { groups: [{ name: "packages", test: packages }] } }),
    },
    ...(options.dev === true && { treeshake: false }),
  };
}

/** Writes the bundle; a finding in the author's code is a `CommandError` with the whole report. */
export async function bundle(project: Project, options: BundleOptions): Promise<readonly BundledFile[]> {
  const { rolldown } = await import("rolldown");
  const { output, ...input } = rolldownOptions(project, options);
  const build = await rolldown(input);
  try {
    if (output === undefined || Array.isArray(output)) throw new TypeError("rolldownOptions gives one output");
    const { output: files } = await build.generate(output);
    rmSync(join(options.outdir, "chunks"), { recursive: true, force: true });
    await build.write(output);
    return files
      .filter((file): file is OutputChunk => file.type === "chunk")
      .map((chunk) => ({ file: chunk.fileName, bytes: Buffer.byteLength(chunk.code), entry: chunk.isEntry }));
  } catch (error) {
    throw asCommandError(error, project);
  } finally {
    await build.close();
  }
}

/** A bundler's error as text without our stack; rolldown packs several into one. */
export function asCommandError(error: unknown, project: Project): CommandError {
  const found = (error as { errors?: readonly { message: string }[] }).errors ?? [error as Error];
  const text = found.map((one) => one.message.replaceAll(`${project.root}/`, "")).join("\n\n");
  return new CommandError(`${relative(process.cwd(), project.entry)} could not be built.\n\n${text}`);
}
