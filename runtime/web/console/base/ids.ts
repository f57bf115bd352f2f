/** Returns the id of a job without the common prefix of its URN. */
export function bareId(urn: string): string {
  return urn.replace(/^urn:platform:job:/, "");
}

/** Returns the end of an id, for places without room for all of it. */
export function shortId(id: string): string {
  return bareId(id).slice(-12);
}
