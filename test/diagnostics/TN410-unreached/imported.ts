/** Says yes. @tool */
export function yes(): boolean {
  return true;
}
