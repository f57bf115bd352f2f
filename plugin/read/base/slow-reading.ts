/** Called with the tool and the part of its types that is being read. */
export type Progress = (tool: string, path: string) => void;

/** Milliseconds until progress is shown, and between two lines. */
const patience = 3000;

/**
 * Creates a function that prints a line when reading takes long: the tool, and the field that is being read. The time
 * starts anew in each turn of the event loop.
 */
export function showSlowReading(write: (line: string) => void): Progress {
  let next: number | undefined;
  return (tool, path) => {
    const now = performance.now();
    if (next === undefined) setImmediate(() => (next = undefined));
    else if (now >= next) write(`reading the types of \`${tool}\`, at \`${shortPath(path)}\``);
    else return;
    next = now + patience;
  };
}

/** Returns the beginning of a path, which shows the author's field that leads to the large type. */
export function shortPath(path: string): string {
  return path.length > 80 ? `${path.slice(0, 79)}…` : path;
}
