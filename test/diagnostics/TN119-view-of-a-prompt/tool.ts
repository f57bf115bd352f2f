/** Asks.
 * @prompt
 * @view auto */
export function ask(): string {
  return "What?";
}

/** Is there.
 * @resource notes://all
 * @view ./notes.view.html */
export function notes(): string {
  return "";
}
