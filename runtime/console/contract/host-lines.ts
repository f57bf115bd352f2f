import { type McpHostForm, mcpHostForms } from "../../contract/mcp-host-forms.ts";
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
  const { claudeCode, cursor, vscode } = mcpHostForms;
  const fileOf = ({ at, entry }: McpHostForm): string => toJson({ [at]: { [key]: entry(url) } }, true);
  return [
    { host: claudeCode.title, text: `claude mcp add --transport http ${key} ${url}` },
    { host: vscode.title, text: `code --add-mcp '${toJson({ name: key, ...vscode.entry(url) })}'` },
    { host: `${cursor.title}, ${cursor.file}`, text: fileOf(cursor) },
    // Most take the form of Claude Code's file.
    { host: "Others, mcp.json", text: fileOf(claudeCode) },
  ];
}
