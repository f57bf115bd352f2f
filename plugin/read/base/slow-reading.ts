/** Takes the tool and the part of its types that a reader has reached. */
export type Progress = (tool: string, path: string) => void;

/** Milliseconds until a reading shows what it has reached, and between two lines. */
const patience = 3000;

/** Writes a line when reading takes long: the tool, and the field that it has reached. Begins anew in each turn. */
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

/** The beginning of a path, which says which field of the author's leads to what is large. */
export function shortPath(path: string): string {
  return path.length > 80 ? `${path.slice(0, 79)}…` : path;
}
