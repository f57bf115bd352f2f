/** The files of the playground, in place of a disk: texts by absolute path, forward slashes. */
export interface MemoryFiles {
  /** Sets the text of a file; undefined removes it. */
  set(path: string, text: string | undefined): void;
  read(path: string): string | undefined;
  isFolder(path: string): boolean;
  /** Names in a folder; undefined if there is no such folder. */
  list(path: string): readonly MemoryEntry[] | undefined;
  /** Paths of all files below a folder. */
  below(path: string): readonly string[];
}

/** A file or a folder in a folder. */
export interface MemoryEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Creates an empty file system. */
export function createMemoryFiles(): MemoryFiles {
  const texts = new Map<string, string>();
  /** Names in each folder; true for folders. */
  const folders = new Map<string, Map<string, boolean>>([["/", new Map()]]);

  function enter(path: string, isFolder: boolean): void {
    const at = path.lastIndexOf("/");
    const folder = path.slice(0, at) || "/";
    const names = folders.get(folder);
    if (names !== undefined) return void names.set(path.slice(at + 1), isFolder);
    folders.set(folder, new Map([[path.slice(at + 1), isFolder]]));
    enter(folder, true);
  }

  return {
    set(path, text) {
      if (text === undefined) {
        texts.delete(path);
        folders.get(path.slice(0, path.lastIndexOf("/")) || "/")?.delete(path.slice(path.lastIndexOf("/") + 1));
        return;
      }
      if (!texts.has(path)) enter(path, false);
      texts.set(path, text);
    },
    read: (path) => texts.get(path),
    isFolder: (path) => folders.has(path),
    list(path) {
      const names = folders.get(path);
      return names && [...names].map(([name, isFolder]) => ({ name, isFolder }));
    },
    below(path) {
      const start = path === "/" ? path : `${path}/`;
      return [...texts.keys()].filter((one) => one.startsWith(start));
    },
  };
}
