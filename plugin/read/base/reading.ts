import { ts } from "ts-morph";
import { codes, type Code } from "../../diagnostics/codes.ts";
import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import type { Position, TypeModel } from "../../model/type.ts";
import type { PatternJudge } from "./judge-pattern.ts";
import { relativeFile } from "./relative-file.ts";
import type { Progress } from "./slow-reading.ts";
import type { TagCount } from "./tag-ledger.ts";
import { parseDoc, type Doc } from "./tsdoc.ts";

/** A range of a source file, in UTF-16 offsets. */
export interface Place {
  readonly file: ts.SourceFile;
  readonly start: number;
  readonly end: number;
}

export interface Finding {
  readonly code: Code;
  readonly place: Place;
  readonly message: string;
  /**
   * Short name of the finding's subject. Findings with the same code and place are combined into one, which lists these
   * names.
   */
  readonly item?: string;
  readonly fix?: string;
  /** Fix for the finding, which `tenon generate --fix` writes into the file of the place. */
  readonly edit?: Edit;
}

/** A diagnostic that was reported at a place: its index, and the items that it names. */
interface Reported {
  readonly index: number;
  readonly message: string;
  readonly items: Set<string | undefined>;
}

/** A declaration with a schema URN. */
interface MarkedModel {
  readonly symbol: ts.Symbol;
  /** Place of the URN. */
  readonly place: Place;
  /** First model that was read from it: a generic type has one for each instance. */
  first?: {
    readonly type: ts.Type;
    /** Tags of its type arguments, as a text. */
    readonly tags: string;
    /** Name of its definition. */
    readonly name: string;
    /** The type as it is shown. */
    readonly text: string;
    readonly definitions: ReadonlyMap<string, TypeModel>;
  };
}

/** Length of the shortest comment. */
const shortestDoc = "/***/".length;

/** Maximum number of further items that a finding names; the rest are counted. */
const namedItems = 5;

export type RuleLevel = "error" | "warn" | "off";

/** Cache of searches by node. True: nothing that is searched for can be reached from the node; false: something can. */
export type Reached = Map<ts.Node, boolean>;

/** State that all parts of the reader share while they read one module. */
export interface Reading {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly file: ts.SourceFile;
  /** Absolute folder of the project, forward slashes. */
  readonly root: string;
  /** Namespace of derived URNs. */
  readonly namespace: string;
  /**
   * True if a larger program may resolve more names. An unresolved name then ends this reading with `UnresolvedInLean`,
   * and the module is read again with the larger program.
   */
  readonly canRetry: boolean;
  /**
   * True for a `lean` program (see `Level`), in which a type may look valid although it comes from an unresolved name.
   */
  readonly lean: boolean;
  readonly diagnostics: Diagnostic[];
  /** Number of findings so far, including those that only add an item to an existing diagnostic. */
  reports: number;
  /** Named items of each diagnostic, by its code and place. */
  readonly reported: Map<string, Reported>;
  /** Files with declarations that were read. */
  readonly touched: Set<ts.SourceFile>;
  /** Absolute paths of other files that were read. */
  readonly readFiles: Set<string>;
  /** Cache of the symbols to which type nodes refer. */
  readonly symbols: Map<ts.Node, ts.Symbol | undefined>;
  /**
   * Cache by type node: true if the node has the same meaning wherever it is used, because it contains no type
   * parameter that is declared outside of it.
   */
  readonly closed: Map<ts.Node, boolean>;
  /** Type nodes from which no type parameter can be reached. */
  readonly withoutParameters: Reached;
  /** Type nodes from which neither a type parameter nor a comment about values can be reached. */
  readonly withoutDocs: Reached;
  /**
   * Type nodes from which no comment about values can be reached, whatever the arguments of their type parameters are.
   */
  readonly withoutWords: Reached;
  /** Schema URNs of this module, and the declarations they name. */
  readonly urns: Map<string, MarkedModel>;
  /** True if a type was inferred from code, so that a change of any imported file can affect it. */
  inferred: boolean;
  /** Counts of the tags on the types of each tool. */
  readonly tags: TagCount[];
  readonly rules: Readonly<Record<string, RuleLevel>>;
  /** Name of the tool that is being read. */
  tool?: string;
  /** Called at each part of a type. */
  readonly progress?: Progress;
  /** Judges the worst-case time of a pattern; verdicts are cached for all modules. */
  readonly judgePattern: PatternJudge;
  /** Name of the package that a file belongs to. */
  packageOf(file: ts.SourceFile): string | undefined;
}

/** Ends the reading of a tool whose types have too many parts. */
export class TypeTooLarge extends Error {
  override readonly name: string = "TypeTooLarge";
  /** Path of the field at which reading ended. */
  readonly path: string;

  constructor(path: string) {
    super("The types of the tool have too many parts.");
    this.path = path;
  }
}

/** Ends the reading of a tool whose types expand without end in many places, all of which were reported. */
export class EndlessTypes extends Error {
  override readonly name: string = "EndlessTypes";
}

/** Ends a reading, because a name cannot be resolved with a `lean` program (see `Level`). */
export class UnresolvedInLean extends Error {
  override readonly name: string = "UnresolvedInLean";
}

/** The range of a node without its leading comments. */
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

/** Adds a diagnostic, at the level that the rules set. Each place has one finding of a code, which names all items. */
export function report(reading: Reading, finding: Finding): void {
  const entry = codes[finding.code];
  const rule = entry.rule === undefined ? undefined : reading.rules[entry.rule];
  if (rule === "off") return;
  const level = rule === undefined ? entry.level : rule === "warn" ? "warning" : "error";
  reading.reports += 1;
  const position = positionOf(reading, finding.place);
  const key = `${finding.code} ${position.file}:${position.line}:${position.column}`;
  const known = reading.reported.get(key);
  if (known !== undefined) return addItem(reading, known, finding.item);
  const index = reading.diagnostics.length;
  reading.reported.set(key, { index, message: finding.message, items: new Set([finding.item]) });
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

/** Adds one more item to the finding of its place. */
function addItem({ diagnostics }: Reading, { index, message, items }: Reported, item: string | undefined): void {
  const diagnostic = diagnostics[index];
  if (diagnostic === undefined || item === undefined || items.has(item)) return;
  items.add(item);
  const others = [...items].slice(1);
  const rest = others.length - namedItems;
  const names = [...others.slice(0, namedItems), ...(rest > 0 ? [`${rest} more`] : [])];
  const list = [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((text) => text !== "").join(" and ");
  diagnostics[index] = { ...diagnostic, message: `${message} The same holds for ${list}.` };
}

/** Comments of a file by the offset at which they begin, each with the offset of the node that follows. */
type FileDocs = Map<number, { readonly next: number; readonly doc: Doc | undefined }>;

/** Cache of comments: a comment is needed for every part that its tags concern, and a parsed file does not change. */
const docs = new WeakMap<ts.SourceFile, FileDocs>();

/** Forgets the comments of a file that is no longer used. */
export function forgetDocs(file: ts.SourceFile): void {
  docs.delete(file);
}

/** The parsed TSDoc comment directly before a node; `undefined` if there is none. */
export function docOf(node: ts.Node): Doc | undefined {
  const file = node.getSourceFile();
  return docBefore(file, node.getFullStart(), node.getStart(file));
}

/** Last TSDoc comment after the offset `start`, directly before the node at `next`. */
export function docBefore(file: ts.SourceFile, start: number, next: number): Doc | undefined {
  let known = docs.get(file);
  if (known === undefined) docs.set(file, (known = new Map()));
  const before = known.get(start);
  if (before?.next === next) return before.doc;
  const doc = findDoc(file, start, next);
  known.set(start, { next, doc });
  return doc;
}

function findDoc(file: ts.SourceFile, start: number, next: number): Doc | undefined {
  if (next - start < shortestDoc) return undefined;
  // A comment after a token on the same line belongs to the token, unless the next node is on that line as well.
  const near = (ts.getTrailingCommentRanges(file.text, start) ?? []).filter(
    (range) => start > 0 && !/[\r\n]/.test(file.text.slice(range.end, next)),
  );
  const ranges = [...near, ...(ts.getLeadingCommentRanges(file.text, start) ?? [])];
  const last = ranges.findLast(
    (range) => file.text.startsWith("/**", range.pos) && !file.text.startsWith("/**/", range.pos),
  );
  return last === undefined ? undefined : parseDoc(file.text, last.pos, last.end);
}

/** True for the author's own file: not one of a package or a library. */
export function isOwnFile(reading: Reading, file: ts.SourceFile): boolean {
  return !file.fileName.includes("/node_modules/") && !reading.program.isSourceFileDefaultLibrary(file);
}
