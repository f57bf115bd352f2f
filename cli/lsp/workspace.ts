import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TextDocuments, Diagnostic as Shown } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { existingEntry } from "../../plugin/index.ts";
import { docsFolder } from "../base/docs-folder.ts";
import { isAddress } from "../dev/dev-folder.ts";
import { nearestPackage } from "../project/project.ts";
import { isSettings } from "../project/settings-files.ts";
import { type Published, publishable, fileOf, uriOf } from "./published.ts";
import { createShownFindings } from "./shown-findings.ts";
import { type Checked, openProjectChecks, type ProjectChecks } from "./project-checks.ts";

/** Maximum number of projects whose compilers stay in memory. */
const warmProjects = 2;
const inPackages = /[\\/]node_modules[\\/]/;

interface WorkspaceOptions {
  readonly documents: Pick<TextDocuments<TextDocument>, "get" | "all">;
  readonly publish: (uri: string, diagnostics: readonly Shown[]) => void;
  readonly log: (line: string) => void;
  /** Shows a message to the user of the editor. */
  readonly show: (line: string) => void;
  readonly lensesChanged: () => void;
  /** Called after each check. */
  readonly rest: () => void;
  /** The contract with which the code is compared after each save. */
  readonly against?: string;
}

/** A document in the last check of its project. */
export interface Place {
  /** Name of the file in positions of the project. */
  readonly file: string;
  readonly checked: Checked;
}

/**
 * Manages the projects of an editor's folders. A project is checked again when one of its documents or files changes.
 */
export interface Workspace {
  /** Checks the projects in these folders, even if none of their documents is open. */
  openFolders(folders: readonly string[]): void;
  changed(document: TextDocument): void;
  closed(document: TextDocument): void;
  /** Records that files on disk have changed. */
  refresh(files: readonly string[]): void;
  /** Returns the shown findings of a document, if they belong to its current text. */
  published(uri: string): readonly Published[];
  /** The open document of a file. */
  document(path: string): TextDocument | undefined;
  /**
   * Resolves when the document's project was checked with the current texts; undefined for a document without a
   * project.
   */
  placeOf(uri: string): Promise<Place | undefined>;
  all(): Promise<readonly Checked[]>;
  dispose(): void;
}

export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { documents, log } = options;
  const docs = pathToFileURL(join(docsFolder(), "diagnostics.md")).href;
  /** Projects by the folder of the package; the one that was used last is the last entry. */
  const projects = new Map<string, ProjectChecks>();
  const shown = createShownFindings(options.publish, (path) => uriOf(path, documentOf));
  /** Packages with invalid options, which are reported only once. */
  const refused = new Set<string>();
  let folders: readonly string[] = [];

  /** Opens the project of a package; undefined if its options are invalid, which the editor shows. */
  function open(root: string, file: string): ProjectChecks | undefined {
    const known = projects.get(root);
    if (known !== undefined) {
      projects.delete(root);
      projects.set(root, known);
      return known;
    }
    if (refused.has(root)) return undefined;
    try {
      const entry = existingEntry(root);
      const made = openProjectChecks({
        root,
        near: file,
        ...(entry !== undefined && { entry }),
        log,
        ...(options.against !== undefined && { against: options.against, lensesChanged: options.lensesChanged }),
        checked(checked) {
          shown.show(root, publishable(checked, docs, documentOf));
          options.rest();
        },
      });
      projects.set(root, made);
      const [oldest] = projects.keys();
      if (projects.size > warmProjects && oldest !== undefined) forget(oldest);
      return made;
    } catch (error) {
      refused.add(root);
      shown.show(root, new Map());
      options.show((error as Error).message);
      return undefined;
    }
  }

  /** Closes a project; its findings are still shown until it is opened again. */
  function forget(root: string): void {
    projects.get(root)?.dispose();
    projects.delete(root);
  }

  function documentOf(path: string): TextDocument | undefined {
    return documents.get(pathToFileURL(path).href) ?? documents.all().find(({ uri }) => fileOf(uri) === path);
  }

  /** Opens the project of a document, and gives it the texts of all open documents in its folder. */
  function projectOf(uri: string): { readonly project: ProjectChecks; readonly file: string } | undefined {
    const file = fileOf(uri);
    if (file === undefined || inPackages.test(file)) return undefined;
    const root = nearestPackage(dirname(file));
    const isKnown = root !== undefined && projects.has(root);
    const project = root === undefined ? undefined : open(root, file);
    if (project === undefined) return undefined;
    if (!isKnown) for (const one of documents.all()) edit(project, one);
    return { project, file };
  }

  function edit(project: ProjectChecks, document: TextDocument): void {
    const file = fileOf(document.uri);
    if (file !== undefined) project.edit(file, document.getText());
  }

  /** Reopens all projects, also those with invalid settings: settings are read only once, and they have changed. */
  function reopen(): void {
    const uris = new Map(documents.all().flatMap(({ uri }) => rootsOf(uri).map((root) => [root, uri] as const)));
    // The keys are copied, since a reopened project is moved to the end of the map.
    const roots = [...projects.keys()];
    roots.forEach(forget);
    refused.clear();
    for (const uri of uris.values()) projectOf(uri)?.project.check();
    openFolders();
  }

  /** Checks the projects of the opened folders, even if none of their documents is open. */
  function openFolders(): void {
    for (const folder of folders) {
      const entry = entryIn(folder);
      if (entry !== undefined && !projects.has(folder)) projectOf(pathToFileURL(entry).href)?.project.check();
    }
  }

  return {
    openFolders(all) {
      folders = all;
      openFolders();
    },
    changed(document) {
      projectOf(document.uri);
      for (const project of projects.values()) edit(project, document);
    },
    closed(document) {
      const file = fileOf(document.uri);
      if (file !== undefined) for (const project of projects.values()) project.edit(file, undefined);
    },
    refresh(files) {
      if (files.some(isSettings)) reopen();
      else if (!files.every(isAddress)) for (const project of projects.values()) project.refresh();
      if (files.some(isAddress)) options.lensesChanged();
    },
    published(uri) {
      const version = documents.get(uri)?.version;
      return shown.of(fileOf(uri) ?? "").filter((one) => one.version === version);
    },
    document: documentOf,
    async placeOf(uri) {
      const found = projectOf(uri);
      await found?.project.settled();
      const checked = found?.project.last();
      return found === undefined || checked === undefined ? undefined : { file: checked.nameOf(found.file), checked };
    },
    async all() {
      await Promise.all(Array.from(projects.values(), (project) => project.settled()));
      return [...projects.values()].flatMap((project) => project.last() ?? []);
    },
    dispose() {
      for (const root of projects.keys()) forget(root);
    },
  };
}

/** Finds the folder of the package that a document belongs to; empty if there is none. */
function rootsOf(uri: string): readonly string[] {
  const file = fileOf(uri);
  return file === undefined ? [] : [nearestPackage(dirname(file)) ?? []].flat();
}

/**
 * Finds the entry of an opened folder. Invalid options are not reported here, but when a document of the folder is
 * opened.
 */
function entryIn(folder: string): string | undefined {
  try {
    return existingEntry(folder);
  } catch {
    return undefined;
  }
}
