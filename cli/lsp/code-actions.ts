import {
  type CodeAction,
  CodeActionKind,
  type Range,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Published } from "./published.ts";
import type { Workspace } from "./workspace.ts";

/** The fixes that an editor may make by itself when a document is saved. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.tenon`;

type Fixable = Published & Required<Pick<Published, "edit">>;

/**
 * The fixes for the findings in a range of a document. Findings of an older text are left out, since their positions
 * may be wrong.
 */
export function codeActions(
  workspace: Workspace,
  uri: string,
  range: Range,
  only: readonly string[] | undefined,
): CodeAction[] {
  const wants = (kind: string): boolean =>
    only === undefined || only.some((one) => kind === one || kind.startsWith(`${one}.`));
  const fixable = workspace.published(uri).filter((one): one is Fixable => one.edit !== undefined);
  const here = fixable.filter(({ diagnostic }) => meets(diagnostic.range, range));
  const edit = (found: readonly Fixable[]): WorkspaceEdit => ({ changes: changesOf(workspace, found) });
  const actions: CodeAction[] = [];
  if (wants(CodeActionKind.QuickFix)) {
    for (const one of here) {
      const { diagnostic } = one;
      const title = one.fix === undefined ? `Fix ${one.code}` : capital(one.fix);
      actions.push({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        isPreferred: true,
        edit: edit([one]),
      });
    }
    for (const code of new Set(here.map((one) => one.code))) {
      const all = fixable.filter((one) => one.code === code);
      if (all.length < 2) continue;
      const title = `Fix all ${all.length} findings ${code} in this file`;
      actions.push({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: all.map(({ diagnostic }) => diagnostic),
        edit: edit(all),
      });
    }
  }
  const sure = fixable.filter((one) => one.edit.choice !== true);
  if (wants(fixAllKind) && only !== undefined && sure.length > 0) {
    actions.push({ title: "Fix all findings of tenon", kind: fixAllKind, edit: edit(sure) });
  }
  return actions;
}

/** Edits of the same place are made once, since tools that share a model report the same finding. */
function changesOf(workspace: Workspace, found: readonly Fixable[]): Record<string, TextEdit[]> {
  const changes = new Map<string, Map<string, TextEdit>>();
  for (const { edit } of found) {
    const document = workspace.document(edit.path) ?? onDisk(edit.path);
    const start = document.positionAt(edit.offset);
    const end = document.positionAt(edit.offset + (edit.length ?? 0));
    const edits = changes.get(document.uri) ?? new Map<string, TextEdit>();
    changes.set(document.uri, edits);
    edits.set(`${edit.offset} ${edit.length ?? 0} ${edit.text}`, { range: { start, end }, newText: edit.text });
  }
  return Object.fromEntries([...changes].map(([uri, edits]) => [uri, [...edits.values()]]));
}

function onDisk(path: string): TextDocument {
  return TextDocument.create(pathToFileURL(path).href, "typescript", 0, readFileSync(path, "utf8"));
}

function meets(a: Range, b: Range): boolean {
  const isBefore = (one: Range["start"], other: Range["start"]): boolean =>
    one.line < other.line || (one.line === other.line && one.character < other.character);
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
