import { ts } from "ts-morph";
import { docBefore, docOf, isOwnFile } from "../../base/reading.ts";
import { parseDoc, type Doc } from "../../base/tsdoc.ts";
import type { TypeContext } from "../../base/type-context.ts";

/**
 * Finds the comment directly in front of a type in the author's files. A comment in front of `A | B` belongs to `A`.
 */
export function inlineDoc(context: TypeContext, node: ts.Node): Doc | undefined {
  if (hasNoDoc(node) || isList(node) || !isOwnFile(context.reading, node.getSourceFile())) return undefined;
  let begins = false;
  ts.forEachChild(node, (child) => {
    begins ||= child.pos === node.pos && ts.isTypeNode(child);
  });
  return (begins ? undefined : docOf(node)) ?? memberDoc(node);
}

/** True for a node with nothing in front of it; decided without looking for comments, since there are many nodes. */
export function hasNoDoc(node: ts.Node): boolean {
  return node.getFullStart() === node.getStart() && !(isList(node.parent) && ts.isTypeNode(node));
}

function isList(node: ts.Node): node is ts.UnionTypeNode | ts.IntersectionTypeNode {
  return ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node);
}

/** Finds the comment of a union's member: before its `|`, or after a member that has its own line. */
function memberDoc(node: ts.Node): Doc | undefined {
  const { parent } = node;
  if (!isList(parent)) return undefined;
  const file = node.getSourceFile();
  const start = memberBefore(parent.types, node)?.end ?? parent.pos;
  const bar = file.text.slice(start, node.pos);
  const before = start < node.pos ? docBefore(file, start, node.getStart()) : undefined;
  if (before !== undefined || !/[\r\n]/.test(bar + file.text.slice(node.pos, node.getStart()))) return before;
  const behind = ts.getTrailingCommentRanges(file.text, node.end)?.find(({ end }) => endsLine(file.text, end));
  return behind === undefined || !file.text.startsWith("/**", behind.pos)
    ? undefined
    : parseDoc(file.text, behind.pos, behind.end);
}

/** Finds the member before another one by halving: a union may have 100,000 members. */
function memberBefore(members: readonly ts.TypeNode[], node: ts.Node): ts.TypeNode | undefined {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((members[middle]?.pos ?? node.pos) < node.pos) low = middle + 1;
    else high = middle;
  }
  return members[low - 1];
}

function endsLine(text: string, at: number): boolean {
  return /^[ \t]*;?[ \t]*(?:[\r\n]|$)/.test(text.slice(at, at + 100));
}
