/** @schema urn:example:schema.search.1 */
export interface Search {
  /** Optional text to look for. */
  text: string;
  /** Order of the hits: `newest`, `oldest` or `nearest`. */
  order: "newest" | "oldest";
  /**
   * Number of hits, from 1 to 100, default 20.
   * @maximum 50
   * @default 10
   */
  hits?: number;
  /** List of shops to look in. */
  shops?: string;
}

/**
 * Searches the articles of all shops.
 * @tool
 * @readonly
 */
export function searchArticles({ text }: Search): string {
  return text;
}
