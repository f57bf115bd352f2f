import { cursorEntryAt, cursorFile, serversKey, typedEntry } from "../../contract/mcp-host-forms.ts";
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
  const fileOf = (entry: object): string => toJson({ [serversKey]: { [key]: entry } }, true);
  return [
    { host: "Claude Code", text: `claude mcp add --transport http ${key} ${url}` },
    { host: "VS Code", text: `code --add-mcp '${toJson({ name: key, ...typedEntry(url) })}'` },
    { host: `Cursor, ${cursorFile}`, text: fileOf(cursorEntryAt(url)) },
    // Most take the form of Claude Code's file.
    { host: "Others, mcp.json", text: fileOf(typedEntry(url)) },
  ];
}
