import { relative } from "node:path";
import { ts } from "ts-morph";
import type { OpenLine } from "../../model/adopted.ts";
import type { NamedType } from "./shape.ts";

/** State shared by all readers of one service that is being adopted. */
export interface AdoptContext {
  readonly checker: ts.TypeChecker;
  /** Absolute path of the service's folder, with forward slashes. */
  readonly root: string;
  readonly files: readonly ts.SourceFile[];
  readonly open: OpenLine[];
  /** Types that were made from schemas, by the declaration of the schema. */
  readonly named: Map<ts.Node, NamedType>;
  /** Names that are already used in the module generated from a file. */
  readonly namesOf: (file: string) => Set<string>;
  /** Names of all tools. */
  readonly toolNames: Set<string>;
  /** Name of the tool that is being read; reported with lines that are not carried over. */
  tool: string | undefined;
}

/** Records a line that is not carried over. A line of a schema that several tools share is recorded once. */
export function leaveOpen(context: AdoptContext, node: ts.Node, reason: string, advice: string): void {
  const source = node.getSourceFile();
  const file = relative(context.root, source.fileName).replaceAll("\\", "/");
  const line = lineOf(node);
  const code = briefCode(node);
  if (context.open.some((one) => one.file === file && one.line === line && one.reason === reason)) return;
  context.open.push({ file, line, ...(context.tool !== undefined && { tool: context.tool }), code, reason, advice });
}

/**
 * Line of a node in its file, from 1. For a method call, the line of the method's name, since a chain of calls may span
 * many lines.
 */
export function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  const isCall = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression);
  const start = isCall ? node.expression.name.getStart(source) : node.getStart(source);
  return source.getLineAndCharacterOfPosition(start).line + 1;
}

const shortChain = 12;

/** Code of a node, shortened to one line. For a chain of calls, only the last call. */
function briefCode(node: ts.Node): string {
  const source = node.getSourceFile();
  const isCall = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression);
  // A short beginning such as `z.coerce` is included, since the method's name alone says less.
  const isLong = isCall && node.expression.expression.getWidth(source) > shortChain;
  const start = isLong ? node.expression.name.getStart(source) - 1 : node.getStart(source);
  // A tag's text may end with the asterisk of the comment's next line, which is removed.
  const text = source.text
    .slice(start, node.end)
    .replaceAll(/\s+/g, " ")
    .replace(/[ *]+$/, "");
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
}
