import { editDistance } from "./edit-distance.ts";

/** Finds the known name that is nearest to an unknown, probably misspelt one; undefined if none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const word = name.toLowerCase();
  const [nearest] = known
    .map((one) => ({ one, edits: editDistance(word, one.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits);
  if (nearest !== undefined && nearest.edits <= Math.max(word.length > 3 ? 2 : 1, word.length / 3)) return nearest.one;
  const longer = word.length < 2 ? [] : known.filter((one) => one.toLowerCase().startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}
