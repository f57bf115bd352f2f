/** Called with the tool, the part of its types that is being read, and the number of parts so far. */
export type Progress = (tool: string, path: string, parts: number) => void;

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

/** Parts of one tool's types above which its schema is said to be large before it is made. */
const manyParts = 10_000;

/**
 * Creates a function that prints a line as soon as the types of a tool have many parts: the field with most of them,
 * and the fix. The warning about the size of the schema (TN504) comes only at the end of the build.
 */
export function showLargeTypes(write: (line: string) => void): Progress {
  const named = new Set<string>();
  let [current, last] = ["", 0];
  let counts = new Map<string, number>();
  return (tool, path, parts) => {
    if (named.has(tool)) return;
    if (tool !== current || parts < last) {
      [current, last] = [tool, 0];
      counts = new Map();
    }
    const field = fieldOf(path);
    counts.set(field, (counts.get(field) ?? 0) + parts - last);
    last = parts;
    if (parts < manyParts) return;
    named.add(tool);
    const [heaviest = "", most = 0] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
    // A field with few of the parts says nothing about the type.
    const where =
      most < parts / 10 ? `in ${count(counts.size)} fields` : `${count(most)} of them in \`${shortPath(heaviest)}\``;
    write(
      `the types of \`${tool}\` are large (TN504): ${count(parts)} parts so far, ${where}; take only the ` +
        "fields that are needed, such as `Pick<…>`, or `Json` for what the tool only hands on",
    );
  };
}

/** The first two fields of a path: the author's field, and the field of the package's type. */
function fieldOf(path: string): string {
  const first = path.indexOf(".");
  const second = first < 0 ? -1 : path.indexOf(".", first + 1);
  return second < 0 ? path : path.slice(0, second);
}

function count(parts: number): string {
  return parts.toLocaleString("en");
}

/** Returns the beginning of a path, which shows the author's field that leads to the large type. */
export function shortPath(path: string): string {
  return path.length > 80 ? `${path.slice(0, 79)}…` : path;
}
