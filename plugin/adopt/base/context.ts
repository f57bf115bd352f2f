import { relative } from "node:path";
import { ts } from "ts-morph";
import type { OpenLine } from "../../model/adopted.ts";
import type { NamedType } from "./shape.ts";

/** State that all readers of one foreign service share. */
export interface AdoptContext {
  readonly checker: ts.TypeChecker;
  /** Absolute folder, forward slashes. */
  readonly root: string;
  readonly files: readonly ts.SourceFile[];
  readonly open: OpenLine[];
  /** Types that were made from schemas, by the declaration of the schema. */
  readonly named: Map<ts.Node, NamedType>;
  /** Names that are taken in the module made from a file. */
  readonly namesOf: (file: string) => Set<string>;
  /** Names of all tools. */
  readonly toolNames: Set<string>;
  /** Tool that is being read, for the lines that are not carried over. */
  tool: string | undefined;
}

/** Adds a line that is not carried over. The same line of a shared schema is named once. */
export function leaveOpen(context: AdoptContext, node: ts.Node, reason: string, advice: string): void {
  const source = node.getSourceFile();
  const file = relative(context.root, source.fileName).replaceAll("\\", "/");
  const line = lineOf(node);
  const code = briefCode(node);
  if (context.open.some((one) => one.file === file && one.line === line && one.reason === reason)) return;
  context.open.push({ file, line, ...(context.tool !== undefined && { tool: context.tool }), code, reason, advice });
}

/** Line of a node in its file, from 1. For a call in a chain it is that of the method's name. */
export function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  const isCall = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression);
  const start = isCall ? node.expression.name.getStart(source) : node.getStart(source);
  return source.getLineAndCharacterOfPosition(start).line + 1;
}

const shortChain = 12;

/** The code of a node in one short line; of a chain, the last call. */
function briefCode(node: ts.Node): string {
  const source = node.getSourceFile();
  const isCall = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression);
  // A short beginning, such as `z.coerce`, says more than the name of its method.
  const isLong = isCall && node.expression.expression.getWidth(source) > shortChain;
  const start = isLong ? node.expression.name.getStart(source) - 1 : node.getStart(source);
  // A tag of a comment ends behind the asterisk of the next line.
  const text = source.text
    .slice(start, node.end)
    .replaceAll(/\s+/g, " ")
    .replace(/[ *]+$/, "");
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
}
