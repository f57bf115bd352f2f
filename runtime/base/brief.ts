/** Characters of a value that a message quotes. */
const longest = 100;

/**
 * Describes a value for a message: a text in quotes, cut after 100 characters; for an object, only the name of its
 * class. A value that an author passed by mistake may be the whole content of a file, and printing that can end the
 * process.
 */
export function brief(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(cutText(value, longest));
  if (typeof value !== "object" || value === null)
    return cutText(typeof value === "symbol" ? "a symbol" : String(value), longest);
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "" && name !== "Object"
    ? `a value of class ${name.slice(0, longest)}`
    : "an object";
}

/**
 * Cuts a text, never inside a surrogate pair, and appends an ellipsis. The ellipsis is escaped in the source, so that
 * the chunks of a start stay ASCII.
 */
export function cutText(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")}\u2026`;
}
