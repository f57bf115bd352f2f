/** The first script of views. Empty in the sources: the build of the package writes this module from `browser`. */
export const viewTexts: { readonly script: string; readonly scriptHash: string } = { script: "", scriptHash: "'none'" };
