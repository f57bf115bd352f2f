/**
 * Key on `globalThis` of a view's page for its connection with the host. Not in `process-keys.ts`, which every start of
 * a service reads.
 */
export const viewKey: unique symbol = Symbol.for("tenon.view");
/** Id of the element that holds the page's data about the tool (`ViewFacts`) as JSON. */
export const viewFactsId = "tenon-view";
