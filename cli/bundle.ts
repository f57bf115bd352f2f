import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { OutputChunk, RolldownOptions } from "rolldown";
import tenon from "../plugin/rolldown.ts";
import { say } from "./output.ts";
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
}

export interface BundledFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly bytes: number;
  readonly entry: boolean;
}

// What every start of a server loads, and what compiled checks share with the code that explains refusals. Many small files
// cost more time than one.
const started = /[\\/]runtime[\\/](?:start|internal|validation[\\/](?:codecs|json-value))\.[jt]s$/;

// What a start with MCP loads besides.
const withMcp = /[\\/]runtime[\\/]mcp[\\/](?:run-mcp-stdio|mount-mcp)\.[jt]s$/;

/** Options with which rolldown makes a self-contained service out of an entry; shared by `build` and `call`. */
function rolldownOptions(project: Project, options: BundleOptions): RolldownOptions {
  return {
    input: project.entry,
    cwd: project.root,
    platform: "node",
    plugins: [tenon({ cache: options.cache ?? true, ...(options.definition === false && { service: false }) })],
    onLog: (level, log) => {
      // Errors come as exceptions, and what bundlers say of the packages in a bundle is not the author's business.
      if (level === "warn" && log.plugin === "tenon") say(log.message);
    },
    output: {
      dir: options.outdir,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "chunks/[name]-[hash].mjs",
      sourcemap: true,
      minify: options.minify === true,
      codeSplitting: options.single !== true && {
        groups: [
          { name: "runtime", test: started, priority: 2 },
          { name: "mcp", test: withMcp, priority: 1 },
        ],
      },
    },
  };
}

/** Writes the bundle; a finding in the author's code is a `CommandError` with the whole report. */
export async function bundle(project: Project, options: BundleOptions): Promise<readonly BundledFile[]> {
  const { rolldown } = await import("rolldown");
  const { output, ...input } = rolldownOptions(project, options);
  const build = await rolldown(input);
  try {
    if (output === undefined || Array.isArray(output)) throw new TypeError("rolldownOptions gives one output");
    const { output: files } = await build.write(output);
    removeStale(join(options.outdir, "chunks"), new Set(files.map(({ fileName }) => basename(fileName))));
    return files
      .filter((file): file is OutputChunk => file.type === "chunk")
      .map((chunk) => ({ file: chunk.fileName, bytes: Buffer.byteLength(chunk.code), entry: chunk.isEntry }));
  } catch (error) {
    throw asCommandError(error, project);
  } finally {
    await build.close();
  }
}

/** Chunk names carry a hash, so that each build would leave those of the one before. */
function removeStale(folder: string, written: ReadonlySet<string>): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name), { recursive: true });
}

/** A bundler's error as text without our stack; rolldown packs several into one. */
export function asCommandError(error: unknown, project: Project): CommandError {
  const found = (error as { errors?: readonly { message: string }[] }).errors ?? [error as Error];
  const text = found.map((one) => one.message.replaceAll(`${project.root}/`, "")).join("\n\n");
  return new CommandError(`${relative(process.cwd(), project.entry)} could not be built.\n\n${text}`);
}
