import { toJson } from "../base/json.ts";
/** Form in which a host is told about an MCP service. */
export interface HostLine {
  readonly host: string;
  readonly text: string;
}

/** The lines for a service at this address. */
export function hostLines(name: string, url: string): readonly HostLine[] {
  const key =
    name
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, "-")
      .replaceAll(/^-|-$/g, "") || "service";
  const entry = { [key]: { type: "http", url } };
  return [
    { host: "Claude Code", text: `claude mcp add --transport http ${key} ${url}` },
    { host: "VS Code", text: `code --add-mcp '${toJson({ name: key, type: "http", url })}'` },
    { host: "Cursor, .cursor/mcp.json", text: toJson({ mcpServers: { [key]: { url } } }, true) },
    { host: "Others, mcp.json", text: toJson({ mcpServers: entry }, true) },
  ];
}
