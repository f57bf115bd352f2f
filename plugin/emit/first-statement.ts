/** Offset of the first place for a statement: after a line that names an interpreter. */
export function firstStatement(code: string): number {
  return code.startsWith("#!") ? code.indexOf("\n") + 1 || code.length : 0;
}
