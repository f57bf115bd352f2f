/**
 * True if a bundler's option for external modules leaves `tenon` outside of the bundle. Then the imports of its parts,
 * which the plugin writes, stay outside as well: otherwise a service would load the runtime twice.
 */
export function leavesOutside(external: unknown): boolean {
  if (typeof external === "function") return Boolean(external("tenon", undefined, false));
  return [external].flat().some((one: unknown) => {
    if (one instanceof RegExp) return one.test("tenon");
    return typeof one === "object" && one !== null ? Object.hasOwn(one, "tenon") : one === "tenon";
  });
}
