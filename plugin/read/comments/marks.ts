import { ts } from "ts-morph";
import { replaced } from "../base/edits.ts";
import { docOf, report, type Reading } from "../base/reading.ts";
import { nearMiss } from "../base/tag-names.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";

/** The tags that mark a function. */
const marks = ["tool", "prompt", "resource"] as const;

export type Mark = (typeof marks)[number];

/** The marked functions of one module. */
export interface Marks {
  readonly reading: Reading;
  /** Offsets of the comments that were used. */
  readonly used: Set<number>;
}

/** The mark in a comment. */
export function markOf(doc: Doc | undefined): { readonly name: Mark; readonly tag: DocTag } | undefined {
  for (const tag of doc?.tags ?? []) {
    const name = marks.find((mark) => mark === tag.name);
    if (name !== undefined) return { name, tag };
  }
  return undefined;
}

/** The comment of a node if it has a mark; a misspelt mark is a warning. */
export function markedDoc({ reading, used }: Marks, node: ts.Node): Doc | undefined {
  const doc = docOf(node);
  if (doc === undefined) return undefined;
  const mark = markOf(doc);
  if (mark !== undefined) {
    const second = doc.tags.find((tag) => tag !== mark.tag && marks.some((name) => name === tag.name));
    if (second !== undefined) {
      report(reading, {
        code: "TN108",
        place: { file: reading.file, start: second.start, end: second.start + second.length },
        message: `\`@${mark.name}\` and \`@${second.name}\` contradict one another.`,
        fix: "keep one",
      });
    }
    used.add(doc.start);
    return doc;
  }
  for (const tag of doc.tags) {
    const meant = nearMiss(tag.name);
    if (meant === undefined || !marks.some((mark) => mark === meant)) continue;
    const place = { file: reading.file, start: tag.start, end: tag.start + tag.length };
    report(reading, {
      code: "TN109",
      place,
      message: `\`@${tag.name}\` is not a known tag; did you mean \`@${meant}\`?`,
      fix: `write \`@${meant}\``,
      edit: replaced(place, `@${meant}`),
    });
  }
  return undefined;
}

/** Reports marks on classes, methods, nested functions and values, where they have no effect. */
export function reportStrayMarks({ reading, used }: Marks): void {
  const { file } = reading;
  // Returns early if every mark was used, as in most modules: then no node has to be visited.
  if ([...file.text.matchAll(/@(?:tool|prompt|resource)\b/g)].length <= used.size) return;
  const visit = (node: ts.Node): void => {
    const start = node.getFullStart();
    if (
      start < node.getStart(file) &&
      /@(?:tool|prompt|resource)\b/.test(file.text.slice(start, node.getStart(file)))
    ) {
      const doc = docOf(node);
      const mark = markOf(doc);
      if (doc !== undefined && mark !== undefined && !used.has(doc.start)) {
        const { tag, name } = mark;
        used.add(doc.start);
        const place = { file, start: tag.start, end: tag.start + tag.length };
        report(reading, {
          code: "TN103",
          place,
          message: `\`@${name}\` is on ${whatIs(node)}, and a ${name} is an exported function.`,
          fix: "move the code into an exported function, and mark that",
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
}

function whatIs(node: ts.Node): string {
  if (ts.isClassLike(node)) return "a class";
  if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return "a method";
  if (ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertySignature(node))
    return "a property";
  if (ts.isFunctionLike(node)) return "a function inside another";
  if (ts.isVariableStatement(node)) return "a variable inside a function";
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return "a type";
  return "something that is not a function";
}
