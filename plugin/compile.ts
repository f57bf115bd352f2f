import { statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { ToolDefinition } from "../runtime/contract.ts";
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import { type Insertion, insertTools } from "./emit/insert-tools.ts";
import { emitTool } from "./emit/tool-module.ts";
import type { ModuleModel } from "./model/module.ts";
import type { ToolModel } from "./model/tool.ts";
import type { TenonOptions } from "./options.ts";
import type { Packages } from "./packages.ts";
import type { SourceProject } from "./read/project.ts";

/** What compiling one source file gave; plain data. */
export interface CompiledModule {
  /** Absolute. */
  readonly file: string;
  readonly model: ModuleModel;
  /** Text to add to the module; none when it holds no tool, or one that is wrong. */
  readonly insertions: readonly Insertion[];
  readonly tools: readonly CompiledTool[];
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of the other files whose types shaped the result. */
  readonly dependencies: readonly string[];
}

/** One tool at each stage. */
export interface CompiledTool {
  readonly model: ToolModel;
  /** What agents and the platform are told. */
  readonly definition: ToolDefinition;
  /** Generated text of its module. */
  readonly code: string;
}

/** Compiles the tools of one project; all files share one TypeScript program. */
export interface Compiler {
  /** Compiles one file as it is in `text`; the last result is given again while nothing that shaped it changed. */
  compile(file: string, text: string): Promise<CompiledModule>;
  /** Forgets what was known of a file. */
  invalidate(file: string): void;
  /** Forgets every file that changed on disk since it was read. Before each build but the first. */
  refresh(): void;
  dispose(): void;
}

interface Known {
  readonly text: string;
  readonly result: CompiledModule;
  /** State on disk of each dependency when it was read. */
  readonly stamps: readonly string[];
}

/** What a compiler asks its owner. */
export interface CompilerPlace {
  readonly packages: Packages;
  /** Absolute folder of the project, to which places are relative; asked once, with the first file. */
  readonly rootFor: (file: string) => string;
}

/**
 * Makes a compiler. The TypeScript program is made at the first file, from that package's tool files at once; a file of
 * another package extends it.
 */
export function createCompiler(options: TenonOptions, { packages, rootFor }: CompilerPlace): Compiler {
  const known = new Map<string, Known>();
  const roots = new Set<string>();
  let opened: Promise<SourceProject> | undefined;

  async function openFor(file: string): Promise<SourceProject> {
    const root = packages.rootOf(file);
    const added = [file, ...(root === undefined ? [] : packages.toolFiles(root))].filter((one) => !roots.has(one));
    for (const one of added) roots.add(one);
    opened ??= open(rootFor(file), options);
    const project = await opened;
    if (added.length > 0) project.addRoots(added);
    return project;
  }

  function forget(changed: (file: string) => boolean): void {
    for (const [file, { result }] of known) {
      if (changed(file) || result.dependencies.some(changed)) known.delete(file);
    }
  }

  return {
    async compile(file, text) {
      const before = known.get(file);
      if (before?.text === text) return before.result;
      const result = compileModule(await openFor(file), file, text);
      known.set(file, { text, result, stamps: result.dependencies.map(stamp) });
      return result;
    },
    invalidate(file) {
      forget((one) => one === file);
      void opened?.then((project) => project.invalidate(file));
    },
    refresh() {
      const changed = new Set<string>();
      for (const { result, stamps } of known.values()) {
        for (const [index, file] of result.dependencies.entries()) if (stamp(file) !== stamps[index]) changed.add(file);
      }
      forget((one) => changed.has(one));
      void opened?.then((project) => changed.forEach((file) => project.invalidate(file)));
    },
    dispose() {
      known.clear();
      void opened?.then((project) => project.dispose());
      opened = undefined;
    },
  };
}

// Loading the compiler takes longer than compiling a few tools; a build without tools never does it. Node's own cache of
// compiled code, the one that `tsc` and Vite switch on for themselves, halves the time.
async function open(root: string, { tsconfig, ...options }: TenonOptions): Promise<SourceProject> {
  enableCompileCache();
  const { openProject } = await import("./read/project.ts");
  return openProject({ ...options, root, ...(tsconfig !== undefined && { tsconfig: resolve(root, tsconfig) }) });
}

/** Source text → model → generated text. */
function compileModule(project: SourceProject, file: string, text: string): CompiledModule {
  const { module: model, diagnostics: found, dependencies } = project.read(file, text);
  const emitted = model.tools.map((tool) => emitTool(tool));
  const diagnostics = [...found, ...emitted.flatMap((tool) => tool.diagnostics)];
  const failed = diagnostics.some(({ level }) => level === "error");
  return {
    file,
    model,
    insertions: failed ? [] : insertTools(text, model, emitted),
    tools: model.tools.flatMap((tool, index) => {
      const made = emitted[index];
      return made === undefined ? [] : [{ model: tool, definition: made.definition, code: made.code }];
    }),
    diagnostics,
    dependencies,
  };
}

function stamp(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "missing" : `${stats.mtimeMs} ${stats.size}`;
}
