/**
 * Suffix of the file of a view in an import. It ends like a script, so that bundlers do not treat the module by the
 * file's own extension.
 */
export const viewSuffix = "?tenon-view.js";
/** The import of the view that is made from a result's schema. */
export const autoViewSpecifier = "tenon/internal/auto-view";
