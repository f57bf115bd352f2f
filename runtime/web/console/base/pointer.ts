/** Path to a value inside of a request: keys and indexes. */
export type Path = readonly (string | number)[];

/** The JSON Pointer (RFC 6901) of a path; the whole request is the empty text. */
export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
