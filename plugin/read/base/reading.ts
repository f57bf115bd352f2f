import { relative } from "node:path";
import { ts } from "ts-morph";
import { codes } from "../../diagnostics/codes.ts";
import type { Code } from "../../diagnostics/codes.ts";
import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import type { Position } from "../../model/type.ts";
import type { PatternJudge } from "./judge-pattern.ts";
import type { TagCount } from "./tag-ledger.ts";
import { parseDoc } from "./tsdoc.ts";
import type { Doc } from "./tsdoc.ts";

/** A stretch of a source file, in UTF-16 offsets. */
export interface Place {
  readonly file: ts.SourceFile;
  readonly start: number;
  readonly end: number;
}

export interface Finding {
  readonly code: Code;
  readonly place: Place;
  readonly message: string;
  readonly fix?: string;
  /** What `tenon generate --fix` writes into the place's file. */
  readonly edit?: Edit;
}

export type RuleLevel = "error" | "warn" | "off";

/** What all parts of the reader share while they read one module. */
export interface Reading {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly file: ts.SourceFile;
  /** Absolute folder of the project, forward slashes. */
  readonly root: string;
  /** Namespace of derived URNs. */
  readonly namespace: string;
  /** A larger program may know more names: an unresolved one ends this reading with `UnresolvedInLean`. */
  readonly canRetry: boolean;
  /** This is the lean program, in which also types that look fine may come from a name that it does not know. */
  readonly lean: boolean;
  readonly diagnostics: Diagnostic[];
  /** Files that declare something which was read. */
  readonly touched: Set<ts.SourceFile>;
  /** Other files that were read: absolute paths. */
  readonly readFiles: Set<string>;
  /** Schema URNs of this module, and what they name. */
  readonly urns: Map<string, ts.Symbol>;
  /** Some type was inferred from code, so that every file below can change it. */
  inferred: boolean;
  /** What became of the tags of each tool's types. */
  readonly tags: TagCount[];
  readonly rules: Readonly<Record<string, RuleLevel>>;
  /** How a pattern does on the worst text; each is judged once for all modules. */
  readonly judgePattern: PatternJudge;
  /** Name of the package that a file belongs to. */
  packageOf(file: ts.SourceFile): string | undefined;
}

/** Ends a reading that met a name which this program does not know. */
export class UnresolvedInLean extends Error {
  override readonly name: string = "UnresolvedInLean";
}

/** The stretch of a node without the comments in front of it. */
export function placeOf(node: ts.Node): Place {
  const file = node.getSourceFile();
  return { file, start: node.getStart(file), end: node.getEnd() };
}

/** Line and column of a place, for the model. */
export function positionOf(reading: Reading, place: Place): Position {
  const { line, character } = place.file.getLineAndCharacterOfPosition(place.start);
  return {
    file: relativeFile(reading.root, place.file.fileName),
    line: line + 1,
    column: character + 1,
    length: place.end - place.start,
  };
}

/** Path of a file from the project's folder, with forward slashes. */
export function relativeFile(root: string, file: string): string {
  // `relative` takes its time, and nearly every file lies below.
  if (file.startsWith(`${root}/`) && !file.includes("/../") && !file.includes("/./"))
    return file.slice(root.length + 1);
  return relative(root, file).replaceAll("\\", "/");
}

/** Adds a diagnostic, at the level that the rules give it. One finding of a code for each place. */
export function report(reading: Reading, finding: Finding): void {
  const entry = codes[finding.code];
  const rule = entry.rule === undefined ? undefined : reading.rules[entry.rule];
  if (rule === "off") return;
  const level = rule === undefined ? entry.level : rule === "warn" ? "warning" : "error";
  const position = positionOf(reading, finding.place);
  const known = reading.diagnostics.some(
    (other) =>
      other.code === finding.code &&
      other.line === position.line &&
      other.column === position.column &&
      other.file === position.file,
  );
  if (known) return;
  const start = finding.place.file.getPositionOfLineAndCharacter(position.line - 1, 0);
  const lineText = /^[^\r\n\u2028\u2029]*/.exec(finding.place.file.text.slice(start))?.[0] ?? "";
  reading.diagnostics.push({
    code: finding.code,
    level,
    message: finding.message,
    ...(finding.fix === undefined ? {} : { fix: finding.fix }),
    ...position,
    lineText: lineText.replace(/^\uFEFF/, " "),
    ...(finding.edit === undefined ? {} : { edit: finding.edit }),
  });
}

/** The TSDoc comment directly in front of a node, parsed; `undefined` without one. */
export function docOf(node: ts.Node): Doc | undefined {
  const file = node.getSourceFile();
  const start = node.getFullStart();
  // Behind a token on the same line, the comment belongs to the token, unless the node stands on that line as well.
  const near = (ts.getTrailingCommentRanges(file.text, start) ?? []).filter(
    (range) => start > 0 && !/[\r\n]/.test(file.text.slice(range.end, node.getStart(file))),
  );
  const ranges = [...near, ...(ts.getLeadingCommentRanges(file.text, start) ?? [])];
  const last = ranges.findLast(
    (range) => file.text.startsWith("/**", range.pos) && !file.text.startsWith("/**/", range.pos),
  );
  return last === undefined ? undefined : parseDoc(file.text, last.pos, last.end);
}

/** Whether a file is the author's own: not a package's and not a library's. */
export function isOwnFile(reading: Reading, file: ts.SourceFile): boolean {
  return !file.fileName.includes("/node_modules/") && !reading.program.isSourceFileDefaultLibrary(file);
}
