import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { mayConcern } from "../packages/find-tool-files.ts";
import { createPackages } from "../packages/packages.ts";
import { createUnreachedTools } from "../packages/unreached-tools.ts";
import { readText } from "../read/base/read-text.ts";
import type { ImportedFile, ImportFollower, GraphRequest } from "../read/project/import-graph.ts";
import { createCompiler } from "./compile.ts";
import type { CompiledModule, CompiledTool } from "./compiled-module.ts";
import { rulesOfBuilds, withConfig } from "./config.ts";
import { requireNode } from "./node-version.ts";
import { readOptions, type TenonOptions } from "./options.ts";
import { conclude, withFindings } from "./outcome/outcome.ts";
import type { ServiceFile } from "./outcome/service-file.ts";
import { openViewStore, readViews } from "./view-store.ts";
import { withSkills } from "./with-skills.ts";
import { textDiagnostics, type Texts, withTexts } from "./outcome/with-texts.ts";
import { withUnreached } from "./outcome/with-unreached.ts";
import type { JudgedTools } from "../texts/text-findings.ts";
import { createFileStates } from "./cache/file-states.ts";
import { openKeptResults } from "./cache/kept-result.ts";

/** Input of a compilation. */
export interface CompileRequest extends TenonOptions {
  /** Path of the entry, relative to `root`. */
  readonly entry: string;
  /** Folder of the project; default: that of the package.json nearest to the entry. */
  readonly root?: string;
  /** Models without a schema URN get a derived one, with a warning, as in builds; default false: they are errors. */
  readonly derivesUrns?: boolean;
  /** Judges the texts of tools by all rules; default false: by the rules that the options name. */
  readonly judgesTexts?: boolean;
}

/** The tools of one entry, by name, at every stage. */
export interface CompiledProject {
  readonly tools: readonly CompiledTool[];
  /** The definition of the entry's service; absent without a `new Service` or after an error. */
  readonly service?: ServiceFile;
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of the files that affect the outcome. */
  readonly dependencies: readonly string[];
}

/** One entry that is compiled repeatedly while its files change: in an editor, or once by a command. */
export interface Session {
  /** Absolute folder of the project. */
  readonly root: string;
  /**
   * Uses a text instead of a file on disk, by its absolute path; undefined: the file on disk is used again. Returns
   * true when the text has changed.
   */
  edit(file: string, text: string | undefined): boolean;
  /**
   * Records that any file on disk may have changed, been created or removed. Settings stay as they were at the start.
   */
  refresh(): void;
  compile(): Promise<CompiledProject>;
  /** Compiles files one by one; the entry need not import them. */
  compileAlone(files: readonly string[]): Promise<readonly CompiledModule[]>;
  dispose(): void;
}

/** Opens a session. @throws {OptionsError} for wrong options of the project */
export function openSession({ entry, root, derivesUrns, judgesTexts = false, ...given }: CompileRequest): Session {
  requireNode();
  const asked = readOptions(given);
  const packages = createPackages();
  const entryFile = resolve(root ?? ".", entry);
  const folder = root === undefined ? (packages.rootOf(entryFile) ?? dirname(entryFile)) : resolve(root);
  const set = withConfig(folder, asked);
  const options = derivesUrns === true ? { ...set, rules: { ...rulesOfBuilds, ...set.rules } } : set;
  const compiler = createCompiler(options, { rootFor: () => folder, entryFor: () => entryFile });
  const views = openViewStore(folder, options);
  const edits = new Map<string, string>();
  let unreachedTools = createUnreachedTools();
  let follower: ImportFollower | undefined;

  /** Without an edited text, the cache may have the answer, and the compiler is loaded only if it has not. */
  const reach = async (): Promise<readonly ImportedFile[]> => {
    if (edits.size === 0) return reachedFiles({ entry: entryFile, root: folder }, options);
    const { createImportFollower } = await import("../read/project/import-graph.ts");
    const tsconfig = options.tsconfig && { tsconfig: resolve(folder, options.tsconfig) };
    follower ??= createImportFollower({ entry: entryFile, root: folder, ...tsconfig });
    return follower(edits).files;
  };

  const known: JudgedTools = new WeakMap();
  const textsOf = (modules: readonly CompiledModule[]): Texts => ({
    modules,
    options,
    isComplete: judgesTexts,
    root: folder,
    known,
    textOf: (file) => edits.get(file) ?? readText(file),
  });

  return {
    root: folder,
    edit(file, text) {
      const shown = text === readText(file) ? undefined : text;
      if (edits.get(file) === shown) return false;
      if (shown === undefined) edits.delete(file);
      else edits.set(file, shown);
      compiler.edit(file, shown);
      return true;
    },
    refresh() {
      // Edited texts of documents that were saved meanwhile are removed.
      for (const [file, text] of edits) this.edit(file, text);
      packages.refresh();
      unreachedTools = createUnreachedTools();
      follower = undefined;
      compiler.refresh();
    },
    async compile() {
      const reached = await reach();
      const files = reached.filter(({ file, text }) => mayConcern(file, text));
      const modules = await Promise.all(
        files.map(async ({ file, text }) => withSkills(await compiler.compile(file, text), text, entryFile, folder)),
      );
      const loaded = new Set(reached.map(({ file }) => file));
      const concluded = conclude({ modules, entries: [entryFile], options, packages });
      const reachable = withUnreached(concluded, { modules, options, packages, unreachedTools, loaded, edits });
      const outcome = withTexts(reachable, textsOf(modules));
      const viewed = await readViews(views, modules);
      const { diagnostics, serviceFile } = withFindings(outcome, views.diagnostics(modules));
      const shaping = modules.flatMap((module) => module.dependencies);
      return {
        tools: modules.flatMap(({ tools }) => tools).toSorted((a, b) => (a.model.name < b.model.name ? -1 : 1)),
        ...(serviceFile && { service: serviceFile }),
        diagnostics,
        dependencies: [...new Set([...loaded, ...shaping, ...viewed])].toSorted(),
      };
    },
    async compileAlone(files) {
      const texts = files.map((file) => ({ file, text: edits.get(file) ?? readText(file) ?? "" }));
      const concerned = texts.filter(({ file, text }) => mayConcern(file, text));
      const modules = await Promise.all(concerned.map(({ file, text }) => compiler.compile(file, text)));
      return modules.map((module) => {
        const found = textDiagnostics(textsOf([module]));
        return found.length === 0 ? module : { ...module, diagnostics: [...module.diagnostics, ...found] };
      });
    },
    dispose: () => compiler.dispose(),
  };
}

/**
 * Lists the TypeScript files that run with an entry, the entry first. The compiler is loaded only if a file has
 * changed.
 */
export async function reachedFiles(
  { entry, root }: Pick<GraphRequest, "entry" | "root">,
  options: TenonOptions,
): Promise<readonly ImportedFile[]> {
  const states = createFileStates(root);
  const results = openKeptResults<readonly string[]>("imports", root, options, states);
  const before = results.get(entry);
  if (before !== undefined && states.match(before.inputs))
    return before.value.flatMap((name) => read(states.path(name)));
  const { followImports } = await import("../read/project/import-graph.ts");
  const tsconfig = options.tsconfig && { tsconfig: resolve(root, options.tsconfig) };
  const { files, inputs } = followImports({ entry, root, ...tsconfig });
  const recorded = states.record(inputs);
  if (recorded !== undefined)
    results.set(entry, { value: files.map(({ file }) => states.name(file)), inputs: recorded });
  return files;
}

function read(file: string): readonly ImportedFile[] {
  const text = readText(file);
  return text === undefined ? [] : [{ file, text }];
}

/**
 * Compiles the tools that an entry imports, in memory and without a bundler. For commands that generate, compare or
 * show, and for tests.
 */
export async function compileProject(request: CompileRequest): Promise<CompiledProject> {
  const session = openSession(request);
  try {
    return await session.compile();
  } finally {
    session.dispose();
  }
}
