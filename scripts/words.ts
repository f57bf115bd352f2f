/**
 * Checks the words of comments and texts: CONTRIBUTING.md has the rules, this script those that a program can judge.
 * `npm run words`.
 */
import { globSync, readFileSync } from "node:fs";

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Rules for lines of code. */
const codeRules: readonly Rule[] = [
  {
    name: "a comment begins with a noun or a verb",
    pattern: /(?:^|\s)\/\*\* (?:What|Where|Who|How|Whether|Which)\b/,
  },
];

/** Rules for the first line of a comment, without its sign. */
const openingRule: Rule = {
  name: "a comment begins with a noun or a verb",
  pattern: /^(?:What|Where|Who|How|Whether|Which)\b/,
};

/** Words of our own in comments and documents, each with the word that every reader knows. */
const privateWords: { readonly [word: string]: string } = {
  "told(?! to)": "reported, notified, logged",
  news: "notification",
  "(?:two|last) looks?": "poll, check",
  "(?:free|no|has a) place(?: here| first| for)?": "slot",
  "lent|lend(?:s|ing)?": "leased",
  doors: "transport",
  door: "middleware",
  suspects: "poison job",
  "parcels?": "request body of a result",
  "(?:an|the|this) offers?": "prompt, resource",
};

const proseRules: readonly Rule[] = Object.entries(privateWords).map(([word, better]) => ({
  name: `a word that every reader knows: ${better}`,
  pattern: new RegExp(`(?<![-/.])\\b(?:${word})\\b(?![-/(:]|\\.[a-z])`, "i"),
}));

/** Longest line of a comment, as of code. Addresses and settings of tools cannot be broken. */
const longComment: Rule = {
  name: "a line has at most 120 characters",
  pattern: /^(?!.*(?:https?:|oxlint-|^ *\*? *@|\/\/\/)).{121,}/,
};

/** Rules for code and for documents. */
const textRules: readonly Rule[] = [
  {
    name: 'write "is not a …", not "is no …"',
    pattern: /(?<!\b(?:there|which)\s)\b(?:is|are) no (?!longer\b|more\b|other\b|need\b|such\b)[a-z`]+/i,
  },
];

/** Every finding as one line: place, rule, text. */
function findings(file: string): readonly string[] {
  const found: string[] = [];
  const isCode = /\.tsx?$/.test(file);
  let isFenced = false;
  const lines = readFileSync(file, "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    const tell = (rule: string): void => void found.push(`${file}:${index + 1}: ${rule}: ${line.trim()}`);
    if (!isCode && /^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced) continue;
    // Names of tests are said as they come to mind; the values that they try are not texts of ours.
    const texts = file.startsWith("test/") ? [] : textRules;
    const isComment = /^\s*(?:\/\/|\/?\*)/.test(line);
    if (isComment && longComment.pattern.test(line)) tell(longComment.name);
    const prose = line.replace(/`[^`]*`/g, "`");
    if (!file.startsWith("test/") && (isComment || !isCode))
      for (const { name, pattern } of proseRules) if (pattern.test(prose)) tell(name);
    for (const { name, pattern } of isCode ? [...codeRules, ...texts] : texts) if (pattern.test(line)) tell(name);
    const opening = openingOf(line, lines[index - 1] ?? "");
    if (isCode && opening !== undefined && openingRule.pattern.test(opening)) tell(openingRule.name);
  }
  return found;
}

/** The text of a line that begins a comment. */
function openingOf(line: string, before: string): string | undefined {
  const [, single] = /^\s*\/\/ (.*)/.exec(line) ?? [];
  if (single !== undefined) return /^\s*\/\//.test(before) ? undefined : single;
  return /^\s*\/\*\*$/.test(before) ? /^\s*\* (.*)/.exec(line)?.[1] : undefined;
}

const files = globSync([
  "{plugin,runtime,cli,scripts}/**/*.{ts,tsx}",
  "test/**/*.ts",
  "examples/*/{src,test,stub}/**/*.ts",
  "docs/*.md",
  "*.md",
]).filter(
  (file) =>
    !/node_modules|^test\/(?:golden|diagnostics|fixtures|versions)\//.test(file) &&
    file !== "CONTRIBUTING.md" &&
    file !== "scripts/words.ts",
);
if (files.length < 100) throw new Error(`Only ${files.length} files were found; the patterns no longer fit the tree.`);
const problems = files.flatMap(findings);
for (const problem of problems) console.log(problem);
console.log(`${files.length} files, ${problems.length} findings`);
if (problems.length > 0) process.exitCode = 1;
