/**
 * JSON as it is committed and printed: two blanks of indent, a final newline, keys in the order in which they were set.
 */
export function stableJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
