/** Paths of the documents by which clients find the MCP endpoint of a service. They need no token. */
export interface CardPaths {
  /**
   * Paths of the server card: below the endpoint, and at the well-known path for clients that know only the host name.
   */
  readonly cards: readonly string[];
  /** Path of the list of all cards of a host. */
  readonly catalog: string;
}

/**
 * Returns the paths of the documents.
 *
 * @param mcpPath Path of the MCP endpoint
 */
export function cardPaths(mcpPath: string): CardPaths {
  return {
    cards: [`${mcpPath}/server-card`, "/.well-known/mcp/server-card.json"],
    catalog: "/.well-known/ai-catalog.json",
  };
}
