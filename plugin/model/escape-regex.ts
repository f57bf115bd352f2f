/** Escapes a text, so that a regular expression with flag `u` matches it literally. */
export function escapeRegex(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replace(/[\p{Cc}\u2028\u2029]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
