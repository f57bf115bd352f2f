/** Empty in the sources. */
export const autoTexts: { readonly html: string; readonly hashes: readonly string[] } = { html: "", hashes: [] };
