/**
 * Names that no tool of a client has: promises read `then` of a client that they resolve to, and `JSON.stringify` reads
 * `toJSON`.
 */
export type HiddenName = "then" | "toJSON";

/** True for the name of a tool that clients leave out. */
export function isHidden(name: string): name is HiddenName {
  return name === "then" || name === "toJSON";
}
