/** URL schemes that open a file, by the name of an editor's program. */
const schemes: Readonly<Record<string, "file" | "open">> = {
  vscode: "file",
  "vscode-insiders": "file",
  vscodium: "file",
  cursor: "file",
  windsurf: "file",
  zed: "file",
  webstorm: "open",
  idea: "open",
};

/** Programs whose name differs from the name of their URL scheme. */
const programs: Readonly<Record<string, string>> = {
  code: "vscode",
  "code-insiders": "vscode-insiders",
  codium: "vscodium",
  zeditor: "zed",
};

/**
 * Returns the URL that opens a line of a file in the user's editor. `LAUNCH_EDITOR` names the editor, or the path of
 * its program; the default is Visual Studio Code.
 *
 * @param path Absolute
 * @param row From 1, as `column`
 */
export function editorLink(path: string, row: number, column: number, named = process.env["LAUNCH_EDITOR"]): string {
  const program = /[^\\/]*$/.exec(named?.trim() ?? "")?.[0].replace(/(?:64)?(?:\.(?:exe|cmd|sh))?$/i, "") ?? "";
  const name = programs[program.toLowerCase()] ?? program.toLowerCase();
  const form = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  const file = encodeURI(`/${path.replaceAll("\\", "/")}`.replace(/^\/+/, "/"));
  if (form === "open") return `${name}://open?file=${encodeURIComponent(path)}&line=${row}&column=${column}`;
  return `${form === undefined ? "vscode" : name}://file${file}:${row}:${column}`;
}
