/**
 * Sums up the books.
 * @tool
 * @schedule "*/5 * * * *"
 */
export function sumUp(): number {
  return 1;
}
