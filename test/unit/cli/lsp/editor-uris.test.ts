import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Diagnostic } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { codeActions, fixAllKind } from "../../../../cli/lsp/code-actions.ts";
import { createWorkspace } from "../../../../cli/lsp/workspace.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const folder = "@acme (sums) [x]+,=";
const add = `/**
 * Adds two numbers.
 * @tool
 * @minimun 1
 */
export function add(a: number, b: number): number {
  return a + b;
}
`;

/** A URI as VS Code writes it, which escapes more than `pathToFileURL`. */
function editorUri(path: string): string {
  const escaped = (text: string): string =>
    encodeURIComponent(text).replaceAll(/[()]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `file://${path.split("/").map(escaped).join("/")}`;
}

test("findings and fixes of a document have the URI that its editor writes, also of another spelling", async () => {
  const root = join(temporaryFolder({ [`${folder}/package.json`]: "{}", [`${folder}/src/add.ts`]: add }), folder);
  const path = join(root, "src/add.ts");
  const uri = editorUri(path);
  expect(uri).not.toBe(pathToFileURL(path).href);
  const open = new Map([[uri, TextDocument.create(uri, "typescript", 1, `\n${add}`)]]);
  const published = new Map<string, readonly Diagnostic[]>();
  const workspace = createWorkspace({
    documents: { get: (one) => open.get(one), all: () => [...open.values()] },
    publish: (one, found) => void published.set(one, found),
    log: (line) => expect.fail(line),
    show: (line) => expect.fail(line),
    lensesChanged() {},
    rest() {},
  });
  onTestFinished(() => workspace.dispose());
  for (const document of open.values()) workspace.changed(document);
  await workspace.placeOf(uri);

  expect([...published.keys()]).toEqual([uri]);
  const [finding] = published.get(uri) ?? [];
  expect(finding).toBeDefined();
  expect(workspace.published(uri).map(({ diagnostic }) => diagnostic)).toContain(finding);
  const everywhere = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  for (const kind of ["quickfix", fixAllKind]) {
    const [action] = codeActions(workspace, uri, everywhere, [kind]);
    const changes = action?.edit?.changes ?? {};
    expect(Object.keys(changes)).toEqual([uri]);
    // The edit fits the text in the editor, which has one line more than the file.
    const document = open.get(uri);
    if (document === undefined) throw new Error("The document is not open.");
    expect(TextDocument.applyEdits(document, changes[uri] ?? [])).toBe(`\n${add.replace("minimun", "minimum")}`);
  }

  // Closed, the file has the URI of its path; the other one is cleared before.
  open.clear();
  workspace.closed(TextDocument.create(uri, "typescript", 2, ""));
  workspace.refresh([path]);
  await workspace.all();
  expect(published.get(uri)).toEqual([]);
});
