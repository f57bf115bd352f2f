/**
 * On `globalThis` of a view's page: its connection with the host. Not a key of a process, whose start would read it.
 */
export const viewKey: unique symbol = Symbol.for("tenon.view");
/** Id of the element that holds the facts as JSON. */
export const viewFactsId = "tenon-view";
