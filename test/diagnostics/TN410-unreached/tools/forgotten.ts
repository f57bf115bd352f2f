/**
 * Says no.
 * @tool
 */
export function no(): boolean {
  return false;
}
