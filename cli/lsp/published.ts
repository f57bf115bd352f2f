import { resolve } from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";
import { DiagnosticSeverity, DiagnosticTag, type Diagnostic as Shown, type Range } from "vscode-languageserver/node";
import type { Diagnostic, Edit } from "../../plugin/index.ts";
import type { Checked } from "./project-checks.ts";

/** A finding in the form of an editor, with the data for its fix. */
export interface Published {
  readonly diagnostic: Shown;
  readonly code: string;
  readonly fix?: string;
  /** `path`: absolute path of the file that it changes. */
  readonly edit?: Edit & { readonly path: string };
  /** Version of the document in which the finding was made; undefined for a file that was not open. */
  readonly version: number | undefined;
}

/** Findings that the TypeScript language server reports as well. */
const saidElsewhere: ReadonlySet<string> = new Set(["TN101"]);
/** Severities of editors, by the levels of findings. */
const severities: Readonly<Record<Diagnostic["level"], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Information,
};
/** Findings about code without effect, which editors show faded. */
const unused: ReadonlySet<string> = new Set(["TN410"]);

/** The document of a file that an editor has open. */
export type DocumentOf = (path: string) => { readonly uri: string; readonly version: number } | undefined;

/**
 * The findings of a check by the absolute path of their file. A file with a syntax error gets none, since it is being
 * edited.
 */
export function publishable(
  { root, entry, diagnostics }: Checked,
  docs: string,
  documentOf: DocumentOf,
): ReadonlyMap<string, readonly Published[]> {
  const broken = new Set(diagnostics.flatMap(({ code, file }) => (saidElsewhere.has(code) ? file : [])));
  const pathOf = (file: string | undefined): string => (file === undefined ? entry : resolve(root, file));
  const found = new Map<string, Published[]>();
  for (const one of diagnostics) {
    if (one.file !== undefined && broken.has(one.file)) continue;
    const path = pathOf(one.file);
    const { edit, fix, code } = one;
    const list = found.get(path) ?? [];
    found.set(path, list);
    list.push({
      diagnostic: show(one, docs, (file) => uriOf(pathOf(file), documentOf)),
      code,
      ...(fix !== undefined && { fix }),
      ...(edit && { edit: { ...edit, path: edit.file === undefined ? path : pathOf(edit.file) } }),
      version: documentOf(path)?.version,
    });
  }
  return found;
}

function show(one: Diagnostic, docs: string, uriOf: (file: string) => string): Shown {
  const related = (one.related ?? []).map(({ message, ...place }) => ({
    message,
    location: { uri: uriOf(place.file), range: rangeOf(place) },
  }));
  return {
    range: rangeOf(one),
    severity: severities[one.level],
    source: "tenon",
    code: one.code,
    codeDescription: { href: `${docs}#${one.code.toLowerCase()}` },
    message: one.fix === undefined ? one.message : `${one.message}\nfix: ${one.fix}`,
    ...(unused.has(one.code) && { tags: [DiagnosticTag.Unnecessary] }),
    ...(related.length > 0 && { relatedInformation: related }),
  };
}

/** Lines and columns count from 1 in findings, and from 0 in editors. A finding about a whole file is at its start. */
export function rangeOf({
  line = 1,
  column = 1,
  length = 0,
  lineText,
}: Pick<Diagnostic, "line" | "column" | "length" | "lineText">): Range {
  const start = { line: line - 1, character: column - 1 };
  // Code of several lines is underlined only in its first line.
  const end = Math.max(
    start.character,
    Math.min(start.character + length, lineText?.length ?? Number.MAX_SAFE_INTEGER),
  );
  return { start, end: { line: start.line, character: end } };
}

/** The path of a document's file; undefined for a document without a file on this machine. */
export function fileOf(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** The URI of a file as its editor writes it: editors differ in the characters that they escape, such as `@`. */
export function uriOf(path: string, documentOf: DocumentOf): string {
  return documentOf(path)?.uri ?? pathToFileURL(path).href;
}
