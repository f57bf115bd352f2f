import { dirname, resolve } from "node:path";
import { createCompiler } from "./compile.ts";
import type { CompiledTool } from "./compiled-module.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { mayConcern } from "../packages/find-tool-files.ts";
import { rulesOfBuilds, withConfig } from "./config.ts";
import { requireNode } from "./node-version.ts";
import { readOptions, type TenonOptions } from "./options.ts";
import { conclude, withFindings } from "./outcome.ts";
import { openViewStore, readViews } from "./view-store.ts";
import { reachedFiles } from "./reached-files.ts";
import { createPackages } from "../packages/packages.ts";
import { createUnreachedTools } from "../packages/unreached-tools.ts";
import { withSkills } from "./with-skills.ts";
import { withUnreached } from "./with-unreached.ts";
import type { ServiceFile } from "./service-file.ts";

/** Input of a compilation. */
export interface CompileRequest extends TenonOptions {
  /** Path of the entry, relative to `root`. */
  readonly entry: string;
  /** Folder of the project; default: that of the package.json nearest to the entry. */
  readonly root?: string;
  /** Models without a schema URN get a derived one, with a warning, as in builds; default false: they are errors. */
  readonly derivesUrns?: boolean;
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

/**
 * Compiles the tools that an entry imports, in memory and without a bundler. For commands that generate, compare or
 * show, and for tests.
 */
export async function compileProject({ entry, root, derivesUrns, ...given }: CompileRequest): Promise<CompiledProject> {
  requireNode();
  const asked = readOptions(given);
  const packages = createPackages();
  const entryFile = resolve(root ?? ".", entry);
  const folder = root === undefined ? (packages.rootOf(entryFile) ?? dirname(entryFile)) : resolve(root);
  const set = withConfig(folder, asked);
  const options = derivesUrns === true ? { ...set, rules: { ...rulesOfBuilds, ...set.rules } } : set;
  const compiler = createCompiler(options, { rootFor: () => folder, entryFor: () => entryFile });
  try {
    const reached = await reachedFiles({ entry: entryFile, root: folder }, options);
    const files = reached.filter(({ file, text }) => mayConcern(file, text));
    const modules = await Promise.all(
      files.map(async ({ file, text }) => withSkills(await compiler.compile(file, text), text, entryFile, folder)),
    );
    const outcome = withUnreached(conclude({ modules, entries: [entryFile], options, packages }), {
      modules,
      options,
      packages,
      unreachedTools: createUnreachedTools(),
      loaded: new Set(reached.map(({ file }) => file)),
    });
    const views = openViewStore(folder, options);
    const viewed = await readViews(views, modules);
    const { diagnostics, serviceFile } = withFindings(outcome, views.diagnostics(modules));
    return {
      tools: modules.flatMap(({ tools }) => tools).toSorted((a, b) => (a.model.name < b.model.name ? -1 : 1)),
      ...(serviceFile && { service: serviceFile }),
      diagnostics,
      dependencies: [
        ...new Set([
          ...reached.map(({ file }) => file),
          ...modules.flatMap((module) => module.dependencies),
          ...viewed,
        ]),
      ].toSorted(),
    };
  } finally {
    compiler.dispose();
  }
}
