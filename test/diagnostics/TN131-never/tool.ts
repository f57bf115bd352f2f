/**
 * Sums up the books.
 * @tool
 * @schedule "0 0 30 2 *" Europe/Zurich
 * @schedule "0 0 29 2 *" Europe/Zurich
 */
export function sumUp(): number {
  return 1;
}
