/** Suffix in an import of a view. It ends like a script, so that bundlers ignore the file's own extension. */
export const viewSuffix = "?tenon-view.js";
/** The import of the view that is made from a result's schema. */
export const autoViewSpecifier = "tenon/internal/auto-view";
