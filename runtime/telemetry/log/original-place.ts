/** A position in a file. */
export interface Place {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/**
 * Maps a position in a bundle to the author's file, by the bundle's source map; returns the same position when there is
 * no map. It reads files, so use it for rare messages only.
 */
export function originalPlace(place: Place): Omit<Place, "column"> {
  try {
    return readOriginal(place) ?? place;
  } catch {
    // If the map is missing or broken, the unmapped position is returned, so that the message is not lost.
    return place;
  }
}

function readOriginal({ path, line, column }: Place): Omit<Place, "column"> | undefined {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { SourceMap } = process.getBuiltinModule("node:module");
  const { fileURLToPath, pathToFileURL } = process.getBuiltinModule("node:url");
  const named = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(path, "utf8"))?.[1];
  if (named === undefined) return undefined;
  const address = new URL(named, pathToFileURL(path));
  const [, encoded] = /^data:application\/json;(?:charset=utf-8;)?base64,(.*)$/.exec(address.href) ?? [];
  const text = encoded === undefined ? readFileSync(address, "utf8") : Buffer.from(encoded, "base64").toString();
  const entry = new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]).findEntry(
    line - 1,
    column - 1,
  );
  if (!("originalSource" in entry)) return undefined;
  const source = new URL(entry.originalSource, encoded === undefined ? address : pathToFileURL(path));
  return source.protocol === "file:" ? { path: fileURLToPath(source), line: entry.originalLine + 1 } : undefined;
}
