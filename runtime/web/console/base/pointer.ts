/** Path to a value inside of a request: keys and indexes. */
export type Path = readonly (string | number)[];

/** Returns the JSON Pointer (RFC 6901) of a path; for the whole request, the empty text. */
export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
