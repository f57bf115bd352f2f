import type { Problem } from "../../contract.ts";
import { pointer, type Path } from "./problem.ts";

/** Makes the problem for an item that has the same value as an earlier item of its list, however it is written. */
export function equalItem(
  { list, index, first }: { readonly list: readonly unknown[]; readonly index: number; readonly first: number },
  wire: unknown,
): Problem {
  const path = pathTo(list, wire) ?? [];
  return {
    path: pointer([...path, index]),
    expected: "item that differs from all others",
    message: `Expected distinct items, but items ${first} and ${index} mean the same value.`,
  };
}

/**
 * Finds the path of a list in the value that contains it. This ends, since a request body has no cycles, and its depth
 * is bounded.
 */
function pathTo(list: unknown, value: unknown): Path | undefined {
  if (value === list) return [];
  if (typeof value !== "object" || value === null) return undefined;
  for (const key of Object.keys(value)) {
    const rest = pathTo(list, (value as Record<string, unknown>)[key]);
    if (rest !== undefined) return [Array.isArray(value) ? Number(key) : key, ...rest];
  }
  return undefined;
}
