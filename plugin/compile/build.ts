import { dirname, normalize } from "node:path";
import { type Compiler, createCompiler } from "./compile.ts";
import type { CompiledModule } from "./compiled-module.ts";
import { gatherByFile } from "../diagnostics/gather.ts";
import { serviceFirst } from "../packages/entry-kind.ts";
import { findSource, mayConcern, relevantCode, sourceFile } from "../packages/find-tool-files.ts";
import { rulesOfBuilds, withConfig } from "./config.ts";
import { requireNode } from "./node-version.ts";
import type { ProjectOptions, TenonOptions } from "./options.ts";
import { createUnreachedTools } from "../packages/unreached-tools.ts";
import type { HtmlText } from "../views/html-view.ts";
import { concludeBuild, type Outcome, withFindings } from "./outcome/outcome.ts";
import { openViewStore, type ViewStore } from "./view-store.ts";
import { withoutLostTypes } from "./lost-types.ts";
import { withSkills } from "./with-skills.ts";
import { withTexts } from "./outcome/with-texts.ts";
import { withoutAbsences, withUnreached } from "./outcome/with-unreached.ts";
import { isOwnFile } from "../packages/own-module.ts";
import { createPackages, type Packages } from "../packages/packages.ts";
import { readText } from "../read/base/read-text.ts";
import { type ToolTexts, writeServiceFile } from "./outcome/service-file.ts";

/** State of one plugin instance during a build. The bundlers' hooks only translate to this interface. */
export interface Build {
  readonly packages: Packages;
  /** Reads the cache on another thread, if an entry is known. For bundlers with a process that starts meanwhile. */
  warm(): Promise<void>;
  /** Begins a build, or the next one in watch mode, and forgets files that changed on disk. */
  start(): void;
  /**
   * Adds an entry of the build, by a path that may lack the extension. The project is the package of the first entry
   * that starts a service; without entries, the package of the first file with tools.
   */
  enter(path: string): void;
  /** Folder of the project's package.json; the working folder until an entry or a tool is known. */
  projectRoot(): string;
  /**
   * True if the entries may import packages whose unused imports bundlers drop; see {@link Packages.mayMeetDroppable}.
   */
  mayMeetDroppable(): boolean;
  /** Compiles a file, and uses the compiled module in the outcome of the build. */
  compile(file: string, text: string): Promise<CompiledModule>;
  /** Returns the compiled module of a file; undefined for a file that no hook compiled, or that lost its last tool. */
  compiled(file: string): CompiledModule | undefined;
  /** Bundles the view in a file, and adds its problems to the outcome. */
  view(file: string): Promise<HtmlText>;
  /** Compiles files that the bundler took from its own cache, so that the plugin did not see them. */
  recover(files: Iterable<string>): Promise<void>;
  /** Notes the files without a tool that a bundler's hooks have read: the next build does not read them again. */
  passOver(files: Iterable<string>): void;
  /** Filters the files that this build has not seen yet. */
  firstMet(files: readonly string[]): readonly string[];
  /** Forgets a changed file between builds, as dev servers need it. */
  invalidate(file: string): void;
  /** True for a module of tenon's runtime, and for one with a tool or a service. */
  isOurs(id: string): boolean;
  /** True when a module of the build serves on standard output without a flag. */
  servesStdio(): boolean;
  /**
   * Computes the outcome for the modules that the build loaded.
   *
   * @param isWhole False after an error of the bundler, which may not have loaded all modules; default true
   */
  finish(loaded: Iterable<string>, isWhole?: boolean): Outcome;
  /** Writes the service definition after the bundle, unless the option disables it. */
  write(outcome: Outcome): void;
}

/** Makes the state of one plugin instance. */
export function createBuild(given: TenonOptions): Build {
  requireNode();
  const packages = createPackages();
  let root: string | undefined;
  const entered = new Set<string>();
  let ordered: readonly string[] | undefined;
  const entries = (): readonly string[] => (ordered ??= serviceFirst([...entered]));
  const mainEntry = (): string | undefined => entries()[0];
  const rootOfEntries = (): string | undefined => (root ??= entries().flatMap((one) => packages.rootOf(one) ?? [])[0]);
  const rootFor = (file: string): string => (root = rootOfEntries() ?? packages.rootOf(file) ?? dirname(file));
  let opened: { readonly options: ProjectOptions; readonly compiler: Compiler } | undefined;
  /** Options are read with the first file, since they are in the project's folder, which is not known before. */
  const open = (file: string): NonNullable<typeof opened> => {
    if (opened !== undefined) return opened;
    const options = withConfig(rootFor(file), given);
    const rules = { ...rulesOfBuilds, ...options.rules };
    const compiler = createCompiler({ ...options, rules }, { rootFor, entryFor: (one) => mainEntry() ?? one });
    return (opened = { options, compiler });
  };
  let views: ViewStore | undefined;
  const viewsOf = (): ViewStore => (views ??= openViewStore(build.projectRoot(), opened?.options ?? given));
  const modules = new Map<string, CompiledModule>();
  /** Vite's ids of modules have forward slashes on Windows as well. */
  const moduleOf = (id: string): CompiledModule | undefined => modules.get(normalize(id));
  const withoutTools = new Set<string>();
  /** Removes modules that have lost their last tool since the previous build: no hook sees such a file again. */
  const dropEmptied = (): void => {
    for (const file of modules.keys()) {
      const text = readText(file);
      if (text !== undefined && !mayConcern(file, text)) modules.delete(file);
    }
  };
  const met = new Set<string>();
  const texts: ToolTexts = new WeakMap();
  const irrelevant = new Set<string>();
  const unreachedTools = createUnreachedTools(irrelevant);
  let builds = 0;

  const build: Build = {
    packages,
    async warm() {
      const entry = mainEntry();
      if (entry !== undefined) await open(entry).compiler.warm(entry);
    },
    start() {
      builds++;
      packages.refresh();
      if (builds > 1) {
        opened?.compiler.refresh();
        dropEmptied();
      }
      withoutTools.clear();
      met.clear();
      const entry = mainEntry();
      if (entry !== undefined) open(entry).compiler.prepare(entry);
    },
    enter(path) {
      const file = findSource(path);
      if (file === undefined || entered.has(file)) return;
      entered.add(file);
      ordered = undefined;
    },
    projectRoot: () => rootOfEntries() ?? process.cwd(),
    mayMeetDroppable() {
      const known = rootOfEntries();
      return known === undefined || packages.mayMeetDroppable(known);
    },
    async compile(file, text) {
      const { compiler } = open(file);
      const found = await withoutLostTypes(compiler, text, await compiler.compile(file, text));
      const module = await withSkills(found, text, mainEntry() ?? file, build.projectRoot());
      modules.set(file, module);
      return module;
    },
    compiled: moduleOf,
    view: (file) => viewsOf().read(file),
    async recover(files) {
      for (const id of files) {
        const file = normalize(id);
        if (modules.has(file) || withoutTools.has(file)) continue;
        // Modules of other plugins, and of `data:` addresses, are not files.
        const text = sourceFile.test(file) ? readText(file) : undefined;
        if (text !== undefined && relevantCode.test(text)) await build.compile(file, text);
        else withoutTools.add(file);
      }
    },
    passOver(files) {
      irrelevant.clear();
      for (const file of files) irrelevant.add(file);
    },
    firstMet(files) {
      const first = files.filter((file) => !met.has(file));
      for (const file of first) met.add(file);
      return first;
    },
    invalidate: (file) => opened?.compiler.invalidate(file),
    isOurs(id) {
      const { insertions = [], hasService = false } = moduleOf(id) ?? {};
      return isOwnFile(normalize(id)) || insertions.length > 0 || hasService;
    },
    servesStdio: () => [...modules.values()].some(({ stdio }) => stdio === true),
    finish(loaded, isWhole = true) {
      const all = new Set(Array.from(loaded, (id) => normalize(id)));
      const present = [...all].flatMap((file) => modules.get(file) ?? []);
      const cache = builds > 1 ? undefined : opened?.compiler.cache();
      const options = opened?.options ?? given;
      const home = build.projectRoot();
      const outcome = concludeBuild({
        modules: present,
        entries: entries(),
        options,
        packages,
        texts,
        cache,
        root: home,
      });
      if (builds <= 1) opened?.compiler.flush();
      const reached = isWhole
        ? withUnreached(outcome, { modules: present, loaded: all, options, packages, unreachedTools })
        : withoutAbsences(outcome);
      const judged = withTexts(reached, { modules: present, options, root: home, textOf: readText });
      const told = withFindings(judged, views?.diagnostics(present) ?? []);
      return options.verbose === true ? told : { ...told, diagnostics: gatherByFile(told.diagnostics) };
    },
    write({ serviceFile }) {
      if (serviceFile !== undefined && (opened?.options ?? given).service !== false) writeServiceFile(serviceFile);
    },
  };
  return build;
}
