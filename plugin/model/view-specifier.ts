/**
 * Follows the file of a view in an import. It ends like a script, so that no bundler takes the module for the file's
 * kind.
 */
export const viewSuffix = "?tenon-view.js";
/** The import of the view that is made from a result's schema. */
export const autoViewSpecifier = "tenon/internal/auto-view";
