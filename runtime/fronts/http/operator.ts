import type { Caller } from "./identity.ts";

/** The scope of callers who see and end jobs of others. */
export const operatorScope = "tenon:operate";

/** True for whoever may see and end jobs of others: everybody where callers are not authenticated. */
export function operates(caller: Caller | undefined): boolean {
  return caller === undefined || caller.scopes.has(operatorScope);
}
