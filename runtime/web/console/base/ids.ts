/** Returns the id of a job without the common prefix of its URN. */
export function bareId(urn: string): string {
  return urn.replace(/^urn:platform:job:/, "");
}
