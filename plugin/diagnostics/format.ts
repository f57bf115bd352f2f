import type { Diagnostic } from "./diagnostic.ts";

export interface FormatOptions {
  /** Colours for a terminal; default false. */
  readonly color?: boolean;
}

/** Maximum length of a source line in a frame, in UTF-16 units. */
const frameWidth = 120;

/**
 * Formats one diagnostic: place, code and message, the frame with its caret, the fix, and a link to its documentation.
 */
export function formatDiagnostic(diagnostic: Diagnostic, options: FormatOptions = {}): string {
  const paint = options.color === true ? ansi : plain;
  const tint = { error: paint.red, warning: paint.yellow, hint: paint.dim }[diagnostic.level];
  const level = diagnostic.level === "error" ? "" : `${diagnostic.level}: `;
  const place = placeOf(diagnostic);
  const lines = [
    `${place === "" ? "" : `${paint.bold(place)}  `}${tint(diagnostic.code)}  ${level}${indentRest(diagnostic.message)}`,
  ];
  lines.push(...frameOf(diagnostic, tint, paint.dim));
  if (diagnostic.fix !== undefined) lines.push(`  ${paint.dim("fix")}   ${indentRest(diagnostic.fix)}`);
  lines.push(`  ${paint.dim("more")}  ${paint.dim(`npx tenon explain ${diagnostic.code}`)}`);
  return lines.join("\n");
}

/**
 * Formats all diagnostics, sorted by file and position, without duplicates, with a line that counts them. Empty for
 * none.
 */
export function formatReport(diagnostics: readonly Diagnostic[], options: FormatOptions = {}): string {
  const unique = sortDiagnostics(diagnostics);
  if (unique.length === 0) return "";
  const counts = (["error", "warning", "hint"] as const).flatMap((level) => {
    const text = count(unique.filter((diagnostic) => diagnostic.level === level).length, level);
    return text === "" ? [] : [text];
  });
  const blocks = unique.map((diagnostic) => formatDiagnostic(diagnostic, options));
  return `${blocks.join("\n\n")}\n\n${counts.join(" and ")}\n`;
}

/** Sorts by file, line, column and code. A finding that several tools share appears once. */
function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = diagnostics.toSorted(
    (a, b) =>
      compareText(a.file ?? "", b.file ?? "") ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
  return sorted.filter((diagnostic, index) => {
    const before = sorted[index - 1];
    return (
      before === undefined ||
      placeOf(before) !== placeOf(diagnostic) ||
      before.code !== diagnostic.code ||
      before.message !== diagnostic.message
    );
  });
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function count(number: number, noun: string): string {
  return number === 0 ? "" : `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function placeOf(diagnostic: Diagnostic): string {
  if (diagnostic.file === undefined) return "";
  if (diagnostic.line === undefined) return diagnostic.file;
  return `${diagnostic.file}:${diagnostic.line}:${diagnostic.column ?? 1}`;
}

function indentRest(text: string): string {
  return text.split("\n").join("\n        ");
}

function frameOf(diagnostic: Diagnostic, tint: Paint, dim: Paint): string[] {
  if (diagnostic.lineText === undefined || diagnostic.line === undefined) return [];
  // A tab is replaced by one space, which keeps the caret below its text: terminals show tabs in different widths.
  const text = diagnostic.lineText.replaceAll("\t", " ");
  const column = Math.min(diagnostic.column ?? 1, text.length + 1) - 1;
  const start = column > frameWidth - 20 ? column - 40 : 0;
  const shown = text.slice(start, start + frameWidth).trimEnd();
  const length = Math.max(1, Math.min(diagnostic.length ?? 1, start + shown.length - column));
  const number = String(diagnostic.line);
  return [
    `  ${dim(`${number} |`)} ${shown}`,
    `  ${" ".repeat(number.length)} ${dim("|")} ${" ".repeat(column - start)}${tint("^".repeat(length))}`,
  ];
}

type Paint = (text: string) => string;
const same: Paint = (text) => text;
const plain = { red: same, yellow: same, bold: same, dim: same };
const ansi = { red: sgr(31), yellow: sgr(33), bold: sgr(1), dim: sgr(2) };

function sgr(code: number): Paint {
  return (text) => `\u001B[${code}m${text}\u001B[0m`;
}
