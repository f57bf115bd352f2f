import { cursorEntryAt, cursorFile, serversKey, typedEntry } from "../../../contract/mcp-host-forms.ts";
import { toJson } from "../base/json.ts";
import type { CopyText } from "../base/copy-text.ts";

/** The forms in which hosts are told about the MCP service at this address. */
export function hostLines(name: string, url: string): readonly CopyText[] {
  const key =
    name
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, "-")
      .replaceAll(/^-|-$/g, "") || "service";
  const fileOf = (entry: object): string => toJson({ [serversKey]: { [key]: entry } }, true);
  return [
    { name: "Claude Code", text: `claude mcp add --transport http ${key} ${url}` },
    { name: "VS Code", text: `code --add-mcp '${toJson({ name: key, ...typedEntry(url) })}'` },
    { name: `Cursor, ${cursorFile}`, text: fileOf(cursorEntryAt(url)) },
    // Most take the form of Claude Code's file.
    { name: "Others, mcp.json", text: fileOf(typedEntry(url)) },
  ];
}
