import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { dirname } from "node:path";

/** Watches files by their folders, so that a file which an editor replaces is seen like one that it writes into. */
export interface FileWatcher {
  /** Watches these files and no others. */
  watch(files: ReadonlySet<string>, options: WatchOptions): void;
  close(): void;
}

export interface WatchOptions {
  /** A file that is watched for the first time and was written after this time, in epoch milliseconds, has changed. */
  readonly since: number;
  /** Something is missing: whatever appears beside the files may be it, not only modules. */
  readonly missing: boolean;
}

/** What happened to the files that are watched. */
export interface Changes {
  /** Absolute paths of files that changed, came or went. */
  readonly files: ReadonlySet<string>;
  /** There are files beside them that were not there before, to which imports may lead now. */
  readonly appeared: boolean;
}

interface Folder {
  readonly watcher: FSWatcher;
  readonly names: ReadonlySet<string>;
}

const importable = /^[^.].*\.[cm]?[jt]sx?$/;
/** Milliseconds without an event after which a save is over. */
const silence = 4;
/** Milliseconds that a file may be empty for: some editors write in two steps. */
const emptiness = 40;

/** Tells of changes, those of one save together. */
export function createFileWatcher(tell: (changes: Changes) => void): FileWatcher {
  const folders = new Map<string, Folder>();
  const stamps = new Map<string, string>();
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let hasWaited = false;
  let isMissing = false;

  function touch(folder: string, wait = silence): void {
    touched.add(folder);
    clearTimeout(timer);
    timer = setTimeout(look, wait);
  }

  function look(): void {
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

  /** Whether a folder holds files that it did not hold before. */
  function listAgain(path: string): boolean {
    const folder = folders.get(path);
    if (folder === undefined) return false;
    const names = namesIn(path);
    folders.set(path, { ...folder, names });
    return [...names].some((name) => !folder.names.has(name) && (isMissing || importable.test(name)));
  }

  function open(path: string): void {
    try {
      const watcher = watch(path, { persistent: true }, () => touch(path));
      // A folder that went; it is opened again with the next build that needs it.
      watcher.on("error", () => close(path));
      folders.set(path, { watcher, names: namesIn(path) });
    } catch {
      // A folder that is not there holds no file that could change.
    }
  }

  function close(path: string): void {
    folders.get(path)?.watcher.close();
    folders.delete(path);
  }

  return {
    watch(files, { since, missing }) {
      isMissing = missing;
      const needed = new Set([...files].map((file) => dirname(file)));
      for (const path of folders.keys()) if (!needed.has(path)) close(path);
      for (const path of needed) if (!folders.has(path)) open(path);
      for (const file of stamps.keys()) if (!files.has(file)) stamps.delete(file);
      for (const file of files) {
        if (stamps.has(file)) continue;
        const isNewer = (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since;
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

/** Begins with the size; empty for a file that is not there. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.size} ${stats.mtimeMs} ${stats.ino}`;
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}
