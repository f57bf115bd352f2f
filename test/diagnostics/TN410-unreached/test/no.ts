/** A tool of a test. @tool */
export function ofATest(): boolean {
  return false;
}
