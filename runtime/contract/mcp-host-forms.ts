/** The place and form in which an MCP host's file names a service at an address, without credentials. */
export interface McpHostForm {
  readonly title: string;
  /** The file in a project. */
  readonly file: string;
  /** Key that holds the servers. */
  readonly at: string;
  readonly entry: (url: string) => Readonly<Record<string, string>>;
}

const typed = (url: string): Readonly<Record<string, string>> => ({ type: "http", url });

/** The console shows them, and `tenon install` writes them. */
export const mcpHostForms: Readonly<Record<"claudeCode" | "cursor" | "vscode", McpHostForm>> = {
  claudeCode: { title: "Claude Code", file: ".mcp.json", at: "mcpServers", entry: typed },
  cursor: { title: "Cursor", file: ".cursor/mcp.json", at: "mcpServers", entry: (url) => ({ url }) },
  vscode: { title: "VS Code", file: ".vscode/mcp.json", at: "servers", entry: typed },
};
