import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ModuleModel } from "../model/module.ts";
import { openConfig } from "./project/compiler-config.ts";
import { dependenciesOf } from "./project/dependencies.ts";
import { createPatternJudge, type PatternJudge, type PatternVerdicts } from "./base/judge-pattern.ts";
import { readModule } from "./read-module.ts";
import { forgetDocs, UnresolvedInLean, type Reading, type RuleLevel } from "./base/reading.ts";
import { relativeFile } from "./base/relative-file.ts";
import type { Progress } from "./base/slow-reading.ts";
import type { TagCount } from "./base/tag-ledger.ts";
import { projectDiagnostics, unreadable } from "./project/project-findings.ts";
import { namespaceOf, packageNames } from "./project/project-settings.ts";
import { type ReadingInputs, readingInputs } from "./project/reading-inputs.ts";
import { createSourceHost, type ParsedLibraries } from "./project/source-host.ts";
import { ProjectProgram } from "./project/project-program.ts";

export interface ReadOptions {
  /** Absolute folder for relative positions; default: that of the package.json nearest to the first root. */
  readonly root?: string;
  /** Absolute paths of modules that will be read, so that they are compiled together. */
  readonly roots?: readonly string[];
  /** Path of the tsconfig, absolute or from the root; default: the nearest one. */
  readonly tsconfig?: string;
  /** Absolute path of the file whose nearest tsconfig is used; default: the first root. */
  readonly near?: string;
  /** Level per rule, for example `{ "missing-schema": "warn" }`. */
  readonly rules?: Readonly<Record<string, RuleLevel>>;
  /** Namespace of derived URNs; default: from the package name. */
  readonly namespace?: string;
  /** Starts without the platform's libraries; default true. Both ways give the same result, which tests compare. */
  readonly lean?: boolean;
  /** Verdicts on patterns from earlier builds; default: none. */
  readonly patterns?: PatternVerdicts;
  /** Called at each part of a type that is read. */
  readonly progress?: Progress;
  /** Caches that several projects in one process share; default: none. */
  readonly shared?: SharedWork;
}

/** Caches of work whose result is the same in every project of a process. */
export interface SharedWork {
  readonly libraries: ParsedLibraries;
  readonly judgePattern: PatternJudge;
}

export interface ModuleReading {
  readonly module: ModuleModel;
  readonly diagnostics: readonly Diagnostic[];
  /** Counts how many tags on the types of each tool were found, and what became of them; the sums are equal. */
  readonly tags: readonly TagCount[];
  /** Absolute paths of files whose changes can affect this reading. */
  readonly dependencies: readonly string[];
  /** Inputs of the reading from the file system; absent when nothing could be read. */
  readonly inputs?: ReadingInputs;
}

/** One TypeScript program for all modules of a build. */
export interface SourceProject {
  /** Reads a module; `text` replaces the file on disk. */
  read(file: string, text?: string): ModuleReading;
  /** Sets the text of a file, in place of the one on disk, until `invalidate`. */
  override(file: string, text: string): void;
  /** Forgets a file that has changed, was created or was removed. */
  invalidate(file: string): void;
  /** Adds modules that will be read, with texts that replace files on disk, so that they are compiled together. */
  addRoots(files: ReadonlyMap<string, string>): void;
  /** Forgets which files do not exist, since any of these may have been created. */
  refresh(): void;
  dispose(): void;
}

/**
 * Opens a project for reading. Nothing is compiled before the first `read`. The program starts without the libraries of
 * the platform, and gets them when the first tool has types that need them.
 */
export function openProject(options: ReadOptions): SourceProject {
  let packages = packageNames();
  const [first] = options.roots ?? [];
  const folder = options.root ?? (first === undefined ? undefined : packages.folderOf(first)) ?? process.cwd();
  const root = folder.replaceAll("\\", "/").replace(/(.)\/$/, "$1");
  const host = createSourceHost(root, options.shared?.libraries);
  const roots = new Set((options.roots ?? []).map(host.normalise));
  const tsconfig = options.tsconfig === undefined ? undefined : resolve(root, options.tsconfig);
  const near = options.near === undefined ? undefined : host.normalise(options.near);
  const rules = options.rules ?? {};
  const judgePattern = options.shared?.judgePattern ?? createPatternJudge(options.patterns);
  let namespace = namespaceOf(root, options.namespace);
  const program = new ProjectProgram({
    host,
    roots,
    smallest: options.lean === false ? "full" : "lean",
    openConfig: () => openConfig(root, tsconfig, near ?? roots.values().next().value),
  });

  /** A change of tsconfig or package.json affects how imports resolve, and the kind and name of a module. */
  const reopen = (): void => {
    host.reset();
    packages = packageNames();
    namespace = namespaceOf(root, options.namespace);
    program.forgetConfig();
  };

  const attempt = (path: string): ModuleReading => {
    const current = program.get();
    const { config, level, augmenting } = program;
    const file = current.getSourceFile(path);
    if (file === undefined)
      return unreadable(root, path, "TN118", `The file \`${relativeFile(root, path)}\` cannot be read.`);
    const reading: Reading = {
      program: current,
      checker: current.getTypeChecker(),
      file,
      root,
      rules,
      namespace,
      canRetry: level !== "whole",
      lean: level === "lean",
      diagnostics: [],
      reports: 0,
      reported: new Map(),
      touched: new Set(),
      readFiles: new Set(),
      symbols: new Map(),
      closed: new Map(),
      withoutParameters: new Map(),
      withoutDocs: new Map(),
      withoutWords: new Map(),
      urns: new Map(),
      inferred: false,
      tags: [],
      judgePattern,
      ...(options.progress !== undefined && { progress: options.progress }),
      packageOf: (source) => packages.nameOf(source.fileName),
    };
    const module = readModule(reading);
    forgetDocs(file);
    const own = [...(config?.files ?? []), `${root}/package.json`].filter((name) => existsSync(name));
    const sources = dependenciesOf(reading);
    own.push(...reading.readFiles);
    const inputs =
      config &&
      readingInputs({ root, path, sources, own, program: current, augmenting, config, level, lookups: host.lookups });
    return {
      module,
      tags: reading.tags,
      diagnostics: [...projectDiagnostics(root, config, rules), ...reading.diagnostics],
      dependencies: [...new Set([...sources, ...own, ...(inputs?.files.keys() ?? [])])].toSorted(),
      ...(inputs && { inputs }),
    };
  };

  const project: SourceProject = {
    read(file, text) {
      const path = host.normalise(file);
      if (text !== undefined && host.override(path, text)) program.grow();
      if (!roots.has(path) && !program.has(path)) {
        roots.add(path);
        program.grow();
      }
      for (;;) {
        try {
          return attempt(path);
        } catch (error) {
          if (error instanceof RangeError) {
            program.drop();
            const last = host.lastAsked();
            const at = last === undefined ? "" : ` The last file was \`${relativeFile(root, last)}\`.`;
            return unreadable(
              root,
              path,
              "TN116",
              `The compiler's stack overflowed: imports below this file, or a type in one of them, nest too deep.${at}`,
            );
          }
          if (!(error instanceof UnresolvedInLean) || !program.widen()) throw error;
        }
      }
    },
    override(file, text) {
      const path = host.normalise(file);
      const isNew = !program.knows(path) && !existsSync(path);
      if (host.override(path, text)) program.grow();
      // Unresolved imports may now resolve to the new file.
      else if (isNew) project.refresh();
    },
    invalidate(file) {
      const path = host.normalise(file);
      // A file that was created or removed can change how other files' imports resolve.
      if (host.forget(path)) program.restart();
      else program.grow();
      if (program.config?.files.includes(path) === true || path.endsWith("/package.json")) reopen();
    },
    addRoots(files) {
      for (const [name, text] of files) {
        const file = host.normalise(name);
        if (host.override(file, text)) program.grow();
        if (roots.has(file)) continue;
        roots.add(file);
        if (!program.knows(file)) program.grow();
      }
    },
    refresh() {
      host.refresh();
      // The program starts small again, since it may have grown because of a mistake that is fixed now.
      const { before, now } = program.refresh();
      // The host is reset if another tsconfig is used now: a nearer one may have been created.
      if ((before?.files ?? []).join() !== now.files.join()) host.reset();
    },
    dispose() {
      program.drop();
      program.forgetConfig();
      roots.clear();
    },
  };
  return project;
}
