/** Texts of the automatic view. Empty in the sources; the build of the package writes them. */
export const autoTexts: { readonly html: string; readonly hashes: readonly string[] } = { html: "", hashes: [] };
