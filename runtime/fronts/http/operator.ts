import type { Caller } from "./identity.ts";

/** The scope of operators, who may see and end jobs of other callers. */
export const operatorScope = "tenon:operate";

/** True for a caller who may see and end jobs of others: every caller if callers are not authenticated. */
export function operates(caller: Caller | undefined): boolean {
  return caller === undefined || caller.scopes.has(operatorScope);
}
