import type { JsonObject, ToolDefinition } from "../../../contract/contract.ts";

/** Finds tools by words. */
export interface ToolIndex {
  /** Names of the tools that match best, the best first. @param isVisible Leaves out tools that a caller may not see */
  search(query: string, limit: number, isVisible: (name: string) => boolean): readonly string[];
}

/** Weight of a word in each part of a tool. */
const weights = { name: 4, title: 3, description: 1.5, arguments: 1 } as const;
/** Parameters of BM25: how quickly repeated words count less, and how much long texts are penalised. */
const [saturation, lengthPart] = [1.2, 0.6];
/** Weight of a word that only has the same beginning as a word of the query. */
const likeness = 0.5;
const shortestBeginning = 4;

interface Entry {
  readonly name: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Makes the index (BM25) of names, titles, descriptions and arguments. A thousand tools take some milliseconds. */
export function createToolIndex(
  tools: readonly Pick<ToolDefinition, "name" | "title" | "description" | "mcp">[],
): ToolIndex {
  const entries = tools.map(entryOf);
  const mean = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(entries.length, 1);
  const found = new Map<string, number>();
  for (const { counts } of entries) for (const word of counts.keys()) found.set(word, (found.get(word) ?? 0) + 1);
  const rarity = (word: string): number => {
    const count = found.get(word) ?? 0;
    return Math.log(1 + (entries.length - count + 0.5) / (count + 0.5));
  };
  const score = ({ counts, length }: Entry, wanted: ReadonlyMap<string, number>): number => {
    let sum = 0;
    for (const [word, weight] of wanted) {
      const count = counts.get(word);
      if (count === undefined) continue;
      const held = saturation * (1 - lengthPart + (lengthPart * length) / mean);
      sum += (weight * rarity(word) * count * (saturation + 1)) / (count + held);
    }
    return sum;
  };
  return {
    search(query, limit, isVisible) {
      const wanted = spread(wordsOf(query), found.keys());
      return entries
        .filter(({ name }) => isVisible(name))
        .map((entry) => ({ name: entry.name, points: score(entry, wanted) }))
        .filter(({ points }) => points > 0)
        .toSorted((a, b) => b.points - a.points)
        .slice(0, limit)
        .map(({ name }) => name);
    },
  };
}

/** Returns the words of a query and known words with the same beginning, each with its weight. */
function spread(query: readonly string[], known: Iterable<string>): ReadonlyMap<string, number> {
  const wanted = new Map(query.map((word) => [word, 1]));
  for (const word of known) {
    if (wanted.has(word)) continue;
    const isLike = query.some(
      (asked) =>
        Math.min(asked.length, word.length) >= shortestBeginning && (word.startsWith(asked) || asked.startsWith(word)),
    );
    if (isLike) wanted.set(word, likeness);
  }
  return wanted;
}

function entryOf({ name, title = "", description, mcp }: Parameters<typeof createToolIndex>[0][number]): Entry {
  const counts = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  add(name, weights.name);
  add(title, weights.title);
  add(description, weights.description);
  for (const text of textsOf(mcp.inputSchema)) add(text, weights.arguments);
  return { name, counts, length };
}

/** Returns names and descriptions of the fields of a schema, including nested fields. */
function textsOf(schema: JsonObject): readonly string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === "description" || key === "title") return typeof value === "string" ? [value] : [];
    if (typeof value !== "object" || value === null || key === "enum" || key === "examples") return [];
    if (Array.isArray(value)) return value.flatMap((one) => (isObject(one) ? textsOf(one) : []));
    return [...(key === "properties" ? Object.keys(value) : []), ...textsOf(value as JsonObject)];
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Splits a text into words: `fetchAllPages` and `fetch_all_pages` are three words, and a plural counts as the singular.
 */
function wordsOf(text: string): readonly string[] {
  const apart = text.replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").toLowerCase();
  const words = apart.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}
