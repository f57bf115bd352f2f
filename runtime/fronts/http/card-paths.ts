/** Paths of the documents by which clients find the MCP endpoint of a service. They need no token. */
export interface CardPaths {
  /** The server card: beside the endpoint, and where clients look on a host that they know by its name alone. */
  readonly cards: readonly string[];
  /** The list of a host's cards. */
  readonly catalog: string;
}

/** @param mcpPath Path of the MCP endpoint */
export function cardPaths(mcpPath: string): CardPaths {
  return {
    cards: [`${mcpPath}/server-card`, "/.well-known/mcp/server-card.json"],
    catalog: "/.well-known/ai-catalog.json",
  };
}
