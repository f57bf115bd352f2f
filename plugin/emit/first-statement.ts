/** Offset at which the first statement can be inserted: after a `#!` line. */
export function firstStatement(code: string): number {
  return code.startsWith("#!") ? code.indexOf("\n") + 1 || code.length : 0;
}
