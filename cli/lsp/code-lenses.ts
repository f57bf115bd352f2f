import type { CodeLens } from "vscode-languageserver/node";
import { consoleAddress } from "../dev/dev-folder.ts";
import { rangeOf } from "./published.ts";
import type { Place } from "./workspace.ts";

/** Opens an address in a browser. */
export const openCommand = "tenon.open";

/**
 * Lenses above each tool: a link to its form in the console, while `tenon dev` serves the project, and the number of
 * breaking changes.
 */
export function codeLenses({ file, checked }: Place): CodeLens[] {
  const address = consoleAddress(checked.root);
  const tools = checked.tools.filter(({ model }) => model.position.file === file && model.kind === undefined);
  return tools.flatMap(({ model }) => {
    const range = rangeOf(model.position);
    const breaking = checked.breaking.get(model.name) ?? 0;
    const page = address && `${address}#/tools/${encodeURIComponent(model.name)}`;
    return [
      ...(page === undefined ? [] : [{ range, command: { title: "Call", command: openCommand, arguments: [page] } }]),
      ...(breaking === 0
        ? []
        : [
            { range, command: { title: `${breaking} breaking ${breaking === 1 ? "change" : "changes"}`, command: "" } },
          ]),
    ];
  });
}
