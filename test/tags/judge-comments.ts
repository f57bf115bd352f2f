import { join } from "node:path";
import { ts } from "ts-morph";
import type { Diagnostic } from "../../plugin/diagnostics/diagnostic.ts";
import { openProject } from "../support/open-project.ts";

/** Comments of packages by the place that each can have in an author's file, without the stars. */
export interface Comments {
  readonly tools: readonly string[];
  readonly fields: readonly string[];
  readonly types: readonly string[];
}

/** The fate of the tags in comments. */
export interface Judgement {
  readonly tools: number;
  readonly tags: number;
  /** The words that a diagnostic named. */
  readonly told: readonly string[];
  /** Tags that nobody named, and that are neither carried out, nor known to other tools, nor in a text. */
  readonly lost: readonly string[];
  /** Findings that call a word unknown which another tool knows, or which is not a tag. */
  readonly wrong: readonly string[];
}

/** The comments with an `@` of declaration files, each once. */
export function commentsOf(texts: readonly string[]): Comments {
  const found = { tools: new Set<string>(), fields: new Set<string>(), types: new Set<string>() };
  for (const text of texts) {
    const file = ts.createSourceFile("a.d.ts", text, ts.ScriptTarget.ESNext, true);
    const visit = (node: ts.Node): void => {
      const place = placeOf(node);
      const comment = place && (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []).at(-1);
      if (place !== undefined && comment !== undefined && text.startsWith("/**", comment.pos)) {
        const inside = text.slice(comment.pos, comment.end);
        if (/\s@\w/.test(inside)) found[place].add(inside.replace(/^[ \t]*/gm, ""));
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { tools: [...found.tools], fields: [...found.fields], types: [...found.types] };
}

function placeOf(node: ts.Node): keyof Comments | undefined {
  if (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node)) return "fields";
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return "types";
  return ts.isFunctionDeclaration(node) || ts.isMethodSignature(node) || ts.isMethodDeclaration(node)
    ? "tools"
    : undefined;
}

const fieldsOfTool = 5;
const toolsOfModule = 50;
const folder = join(import.meta.dirname, "../golden");
const rules = {
  "missing-schema": "off",
  "missing-field-text": "off",
  "missing-text": "off",
  "unsafe-pattern": "off",
} as const;

/** Reads modules with these comments on tools, fields and types, and looks for the fate of each tag. */
export function judgeComments(comments: Comments, known: ReadonlySet<string>, unknown: ReadonlySet<string>): Judgement {
  const count = Math.max(
    comments.tools.length,
    comments.types.length,
    Math.ceil(comments.fields.length / fieldsOfTool),
  );
  const sum = { tags: 0, told: [] as string[], lost: [] as string[], wrong: [] as string[] };
  const project = openProject({ root: folder, rules });
  try {
    for (let start = 0; start < count; start += toolsOfModule) {
      const text = moduleOf(comments, start, Math.min(count, start + toolsOfModule));
      const { module, diagnostics, tags } = project.read(join(folder, "foreign-tags.ts"), text);
      for (const { tool, met, used, refused } of tags)
        if (met !== used + refused) sum.lost.push(`${tool}: ${met} tags met, ${used} used and ${refused} refused`);
      judge(text, diagnostics, JSON.stringify(module.tools), { known, unknown }, sum);
    }
  } finally {
    project.dispose();
  }
  return { tools: count, ...sum };
}

function moduleOf({ tools, fields, types }: Comments, start: number, end: number): string {
  const parts: string[] = [];
  for (let index = start; index < end; index += 1) {
    const own = fields.slice(index * fieldsOfTool, (index + 1) * fieldsOfTool);
    const lines = own.map((comment, at) => `${withoutMarks(comment)}\nf${at}: ${typeFor(comment)};`);
    parts.push(`${withoutMarks(types[index] ?? "")}\nexport interface R${index} {\n${lines.join("\n")}\n}`);
    const comment = withoutMarks(tools[index] ?? "/** Text. */").replace(/\s*\*\/$/, "\n* @tool\n*/");
    parts.push(`${comment}\nexport function t${index}(request: R${index}): void { void request; }`);
  }
  return parts.join("\n");
}

/** A comment without the tags that make the reader skip what they stand on. */
function withoutMarks(comment: string): string {
  return comment.replace(/@(internal|tool|prompt|resource)\b/g, "$1");
}

/** A type that the tags of a comment fit, so that they are not refused for their type. */
function typeFor(comment: string): string {
  if (/@(min|max)Items|@uniqueItems/.test(comment)) return "string[]";
  if (/@(exclusive)?(min|max)imum|@multipleOf|@type int/i.test(comment)) return "number";
  return "string";
}

function judge(
  text: string,
  diagnostics: readonly Diagnostic[],
  models: string,
  { known, unknown }: Readonly<Record<"known" | "unknown", ReadonlySet<string>>>,
  sum: { tags: number; readonly told: string[]; readonly lost: string[]; readonly wrong: string[] },
): void {
  const places = new Map<string, Diagnostic>();
  for (const one of diagnostics) places.set(`${one.line}:${one.column}`, one);
  let told: Diagnostic | undefined;
  let comment = -1;
  for (const { name, line, column, lineText, comment: own } of wordsOf(text)) {
    sum.tags += 1;
    // The text of a tag that was named is lost with it.
    const isInside = own === comment && told?.code === "TN109" && !/^\W*@/.test(lineText);
    const found = places.get(`${line}:${column}`);
    if (found !== undefined) [told, comment] = [found, own];
    if (found?.code === "TN109") {
      sum.told.push(`@${name}`);
      const isKnown = known.has(name) && !/did you mean|`@(enum|const|constant)`/.test(found.message);
      if (isKnown || (!known.has(name) && !unknown.has(name))) sum.wrong.push(`${found.message}\n  ${lineText}`);
    }
    const isKept = models.includes(JSON.stringify(`@${name}`).slice(1, -1));
    const isSilent = known.has(name) || ours.has(name) || name.startsWith("ts-");
    if (found === undefined && !isSilent && !isKept && !isInside) sum.lost.push(`@${name} in: ${lineText}`);
  }
}

/** Tags of ours are counted by the reader itself. */
const ours: ReadonlySet<string> = new Set(
  "tool prompt resource readonly minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems type default defaultValue example deprecated title header".split(
    " ",
  ),
);

interface Word {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly lineText: string;
  /** The line in which its comment begins. */
  readonly comment: number;
}

/** Every `@word` of a text behind white space, outside of code and of braces; told apart without our own parser. */
function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let isCode = false;
  let comment = 0;
  for (const [index, lineText] of text.split("\n").entries()) {
    if (lineText.startsWith("/**")) [isCode, comment] = [false, index];
    if (/^\W*(```|~~~)/.test(lineText)) isCode = !isCode;
    const plain = isCode ? "" : lineText.replace(/`[^`]*`?|\{[^}]*\}?/g, (code) => "x".repeat(code.length));
    for (const { 1: name = "", index: at } of plain.matchAll(/(?<=^|[\s*])@([A-Za-z][\w-]*)(?=\s|$|\*\/)/g))
      words.push({ name, line: index + 1, column: at + 1, lineText, comment });
  }
  return words;
}
