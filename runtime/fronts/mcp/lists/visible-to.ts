import { sees } from "../../http/identity.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { Scopes } from "../port/port.ts";

/** An entry of a list, with the scopes that a caller needs to see it. */
export interface Listed<T> {
  readonly entry: T;
  readonly scopes?: readonly string[] | undefined;
}

/** Makes an entry of a list from a tool and its scopes. */
export function listed<T>({ definition }: Tool, entry: T): Listed<T> {
  return { entry, scopes: definition.scopes };
}

/** Creates a filter of a list for callers. A list whose entries need no scopes is the same for all callers. */
export function visibleTo<T>(list: readonly Listed<T>[]): (scopes: Scopes | undefined) => readonly T[] {
  const all = list.map(({ entry }) => entry);
  if (list.every(({ scopes }) => scopes === undefined)) return () => all;
  return (has) => (has === undefined ? all : list.filter(({ scopes }) => sees(has, scopes)).map(({ entry }) => entry));
}

/** True when a tool needs a scope. */
export function isScoped(tools: readonly Tool[]): boolean {
  return tools.some(({ definition }) => definition.scopes !== undefined);
}
