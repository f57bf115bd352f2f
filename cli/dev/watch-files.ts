import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FolderWatcher, folderWatch } from "./watch-folder.ts";

/** Watches files through their folders: this works no matter whether an editor replaces or overwrites a file. */
export interface FileWatcher {
  /** Watches these files and no others. */
  watch(files: ReadonlySet<string>, options: WatchOptions): void;
  close(): void;
}

export interface WatchOptions {
  /** A newly watched file that was written after this time, in epoch milliseconds, counts as changed. */
  readonly since: number;
  /** True if an imported file is missing: any new file may be the missing one, not only a module. */
  readonly missing: boolean;
  /** Absolute paths of folders, existing or not, in which any new file counts as a change. */
  readonly folders: ReadonlySet<string>;
}

/** Changes of the watched files. */
export interface Changes {
  /** Absolute paths of files that were changed, created or removed. */
  readonly files: ReadonlySet<string>;
  /** True if new files have appeared in the watched folders, to which imports may now resolve. */
  readonly appeared: boolean;
}

interface Folder {
  readonly watcher: FolderWatcher;
  /** Changes when another folder takes the place of the watched one. */
  readonly identity: string;
}

const importable = /^[^.].*\.[cm]?[jt]sx?$/;
/** Milliseconds without an event after which a save is complete. */
const silence = 4;
/** Milliseconds that a file may be empty: some editors write in two steps. */
const emptiness = 40;

/** Calls `tell` with changes; all changes of one save come together. */
export function createFileWatcher(tell: (changes: Changes) => void, watchFolder = folderWatch()): FileWatcher {
  const folders = new Map<string, Folder>();
  const listings = new Map<string, ReadonlySet<string>>();
  const stamps = new Map<string, string>();
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let hasWaited = false;
  let isMissing = false;
  let unlimited: ReadonlySet<string> = new Set();
  let needed: ReadonlySet<string> = new Set();
  let buildTime = 0;

  function touch(folder: string, wait = silence): void {
    touched.add(folder);
    clearTimeout(timer);
    timer = setTimeout(look, wait);
  }

  function look(): void {
    // The watcher of a folder that was removed stays silent when the folder is made again.
    for (const path of touched) if (folders.get(path)?.identity !== identityOf(path)) close(path);
    for (const path of watchNeeded()) touched.add(path);
    const changed = new Map<string, string>();
    for (const [file, before] of stamps) {
      const now = touched.has(dirname(file)) ? stampOf(file) : before;
      if (now !== before) changed.set(file, now);
    }
    const [folder] = [...changed].flatMap(([file, now]) => (now.startsWith("0 ") ? [dirname(file)] : []));
    if (folder !== undefined && !hasWaited) {
      hasWaited = true;
      return touch(folder, emptiness);
    }
    hasWaited = false;
    for (const [file, now] of changed) stamps.set(file, now);
    const appeared = [...touched].map(listAgain).includes(true);
    touched.clear();
    if (changed.size > 0 || appeared) tell({ files: new Set(changed.keys()), appeared });
  }

  /** Lists a folder again; true when it has new files. */
  function listAgain(path: string): boolean {
    const before = listings.get(path);
    if (before === undefined) return false;
    const names = namesIn(path);
    listings.set(path, names);
    const counts = (name: string): boolean =>
      isMissing ||
      importable.test(name) ||
      (unlimited.has(path) && !name.startsWith(".")) ||
      unlimited.has(join(path, name));
    return [...names].some((name) => !before.has(name) && counts(name));
  }

  /** Watches each needed folder, or the nearest one above it while it does not exist. Returns those that were added. */
  function watchNeeded(): readonly string[] {
    const wanted = new Set([...needed].map((path) => (folders.has(path) ? path : nearest(path))));
    for (const path of folders.keys()) if (!wanted.has(path)) close(path);
    return [...wanted].filter((path) => !folders.has(path) && begin(path));
  }

  /** Begins to watch a folder; false if it does not exist any more. */
  function begin(path: string): boolean {
    // After an end, the next change or build watches the folder again.
    const watcher = watchFolder(path, { changed: () => touch(path), ended: () => close(path) });
    if (watcher === undefined) return false;
    folders.set(path, { watcher, identity: identityOf(path) });
    if (listings.has(path)) return true;
    const isNew = unlimited.has(path) && modified(path) >= buildTime;
    listings.set(path, isNew ? new Set() : namesIn(path));
    if (isNew) touch(path);
    return true;
  }

  function close(path: string): void {
    folders.get(path)?.watcher.close();
    folders.delete(path);
  }

  return {
    watch(files, { since, missing, folders: all }) {
      isMissing = missing;
      unlimited = all;
      buildTime = since;
      needed = new Set([...[...files].map((file) => dirname(file)), ...all]);
      const begun = new Set(watchNeeded());
      for (const path of listings.keys()) if (!needed.has(path) && !folders.has(path)) listings.delete(path);
      // All files of a folder that comes later are new.
      for (const path of needed) if (!listings.has(path)) listings.set(path, new Set());
      for (const file of stamps.keys()) if (!files.has(file)) stamps.delete(file);
      for (const file of files) {
        if (stamps.has(file)) {
          if (begun.has(dirname(file))) touch(dirname(file));
          continue;
        }
        const isNewer = modified(file) >= since;
        stamps.set(file, isNewer ? "newer" : stampOf(file));
        if (isNewer) touch(dirname(file));
      }
    },
    close() {
      clearTimeout(timer);
      for (const path of folders.keys()) close(path);
    },
  };
}

/** Returns a folder, or the nearest one above it that exists. */
function nearest(path: string): string {
  const above = dirname(path);
  return above === path || existsSync(path) ? path : nearest(above);
}

/** The number of a folder alone may be used again. */
function identityOf(folder: string): string {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.birthtimeMs}`;
}

/** Returns a text that changes with a file's state and begins with its size; empty for a missing file. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.size} ${stats.mtimeMs} ${stats.ino}`;
}

/** Time of the last change in epoch milliseconds; 0 for a missing file. */
function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}
