import { watch } from "node:fs";
import { paint, say } from "../base/output.ts";

/** Ends the watch of one folder. */
export interface FolderWatcher {
  close(): void;
}

interface Listeners {
  readonly changed: () => void;
  /** Called when the folder is watched no longer, for example since it was removed. */
  readonly ended: () => void;
}

/** Begins to watch a folder; undefined if the folder does not exist. */
export type WatchFolder = (path: string, listeners: Listeners) => FolderWatcher | undefined;

/** Milliseconds between two checks of a folder that the system does not watch. */
const period = 1000;
/** Settings of Linux that limit watchers, by the error of a watcher too many. */
const limits: Readonly<Partial<Record<string, string>>> = {
  ENOSPC: "fs.inotify.max_user_watches",
  EMFILE: "fs.inotify.max_user_instances",
};

/**
 * Makes a function that watches folders. A folder for which the system refuses a watcher is checked every second; the
 * first refusal is reported.
 *
 * @param start Starts a watcher of the system
 */
export function folderWatch(start: typeof watch = watch): WatchFolder {
  let isTold = false;
  return (path, { changed, ended }) => {
    try {
      return start(path, { persistent: true }, changed).on("error", ended);
    } catch (error) {
      const { code = "unknown" } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      if (!isTold) say(paint("yellow", refusal(code)));
      isTold = true;
      const timer = setInterval(changed, period);
      return { close: () => clearInterval(timer) };
    }
  };
}

function refusal(code: string): string {
  const limit = process.platform === "linux" ? limits[code] : undefined;
  const help = limit === undefined ? "" : ` Raise ${limit} to see changes at once.`;
  return `The system watches no more folders (${code}), so that changes are looked for every second.${help}`;
}
