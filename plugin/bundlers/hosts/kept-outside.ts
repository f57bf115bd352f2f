/**
 * True if a bundler's option for external modules leaves `tenon` outside of the bundle. Then the imports of its parts,
 * which the plugin writes, stay outside as well: otherwise a service would load the runtime twice.
 *
 * @param importer Passed to a function of the user.
 */
export function leavesOutside(external: unknown, importer?: string): boolean {
  if (typeof external === "function") return Boolean(external("tenon", importer, false));
  return [external].flat().some((one: unknown) => {
    if (one instanceof RegExp) return "tenon".search(one) >= 0;
    if (typeof one !== "object" || one === null) return one === "tenon";
    return Object.hasOwn(one, "tenon") && (one as { readonly tenon: unknown }).tenon !== false;
  });
}
