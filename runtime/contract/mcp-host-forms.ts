/**
 * Entries for a service in the configuration files of MCP hosts. They contain the service's URL and no credentials. The
 * console shows them, and `tenon install` writes them.
 */

/** Key that holds the servers in Claude Code's file, Cursor's and most others. */
export const serversKey = "mcpServers";

/** Cursor's file in a project. */
export const cursorFile = ".cursor/mcp.json";

/** Makes an entry for Claude Code's file and for VS Code's. */
export function typedEntry(url: string): { readonly type: "http"; readonly url: string } {
  return { type: "http", url };
}

/** Makes an entry for Cursor's file. */
export function cursorEntryAt(url: string): { readonly url: string } {
  return { url };
}
