import { ts } from "ts-morph";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import { keyOf } from "../base/follow.ts";
import type { SourceEdit } from "./source-edits.ts";
import { isTextual } from "./textual.ts";

/** A function with a body. */
export type Handler = ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration | ts.FunctionDeclaration;

/** An expression that a handler returns, interpreted as a result of MCP. */
type Result =
  | { readonly kind: "text" | "error"; readonly text: ts.Expression }
  | { readonly kind: "structured"; readonly value: ts.Expression }
  | { readonly kind: "other" };

/** Kind of the results that a handler returns after the edits. `content`: content blocks, made by `contentOf`. */
export interface ResultManner {
  readonly kind: "text" | "structured" | "content";
  readonly edits: readonly SourceEdit[];
  readonly throwsValueError: boolean;
}

/**
 * Replaces results in the form of MCP by plain values, if all of them can be recognised in the source code. Otherwise
 * every result is passed to `contentOf`, which converts it at run time.
 *
 * @param isStructured True if the tool declares a schema of its result
 */
export function plainResults(context: AdoptContext, handler: Handler, isStructured: boolean): ResultManner {
  const returned = returnsOf(handler);
  const results = returned.map(({ value }) => readResult(context, value, isStructured));
  const isAsync = handler.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  const kinds = new Set(results.map(({ kind }) => kind));
  kinds.delete("error");
  const [only = "text"] = kinds;
  const isCaught = results.some(
    ({ kind }, at) => kind === "error" && !isAsync && isInTry(returned[at]?.value, handler),
  );
  if (kinds.size > 1 || only === "other" || isCaught) return throughContent(context, returned);
  const edits = results.flatMap((result, at) => plainEdits(result, returned[at], handler));
  return { kind: only as "text" | "structured", edits, throwsValueError: results.some(({ kind }) => kind === "error") };
}

interface Returned {
  readonly value: ts.Expression;
  readonly statement?: ts.ReturnStatement;
}

/** Lists the values that a function returns, without those of nested functions. */
function returnsOf({ body }: Handler): readonly Returned[] {
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [{ value: unwrapped(body as ts.Expression) }];
  const found: Returned[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined)
      found.push({ value: node.expression, statement: node });
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

function unwrapped(node: ts.Expression): ts.Expression {
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return isWrapped ? unwrapped(node.expression) : node;
}

function readResult(context: AdoptContext, value: ts.Expression, isStructured: boolean): Result {
  const node = unwrapped(value);
  if (isTextual(context, node)) return { kind: "text", text: value };
  if (!ts.isObjectLiteralExpression(node)) return { kind: "other" };
  const members = new Map(node.properties.map((one) => [keyOf(one) ?? "", one] as const));
  const structured = members.get("structuredContent");
  const isError = members.get("isError");
  const flag = isError && ts.isPropertyAssignment(isError) ? isError.initializer.kind : undefined;
  const isFlagged = flag === ts.SyntaxKind.TrueKeyword;
  if (isStructured && structured !== undefined && !isFlagged) {
    const inner = ts.isPropertyAssignment(structured) ? structured.initializer : structured.name;
    return inner !== undefined && ts.isExpression(inner) ? { kind: "structured", value: inner } : { kind: "other" };
  }
  const others = [...members.keys()].filter((key) => !["content", "isError", "type", "text"].includes(key));
  if (others.length > 0 || (isError !== undefined && !isFlagged && flag !== ts.SyntaxKind.FalseKeyword))
    return { kind: "other" };
  const text = members.has("content") ? onlyText(members.get("content")) : textOfBlock(node);
  return text === undefined ? { kind: "other" } : { kind: isFlagged ? "error" : "text", text };
}

function onlyText(content: ts.ObjectLiteralElementLike | undefined): ts.Expression | undefined {
  const list = content && ts.isPropertyAssignment(content) ? unwrapped(content.initializer) : undefined;
  if (list === undefined || !ts.isArrayLiteralExpression(list) || list.elements.length !== 1) return undefined;
  const [block] = list.elements;
  return block && textOfBlock(unwrapped(block));
}

/** Returns the text expression of a block `{ type: "text", text }`; undefined for any other expression. */
function textOfBlock(node: ts.Expression): ts.Expression | undefined {
  if (!ts.isObjectLiteralExpression(node) || node.properties.length !== 2) return undefined;
  const members = new Map(node.properties.map((one) => [keyOf(one) ?? "", one] as const));
  const [type, text] = [members.get("type"), members.get("text")];
  const kind = type && ts.isPropertyAssignment(type) ? unwrapped(type.initializer) : undefined;
  if (kind === undefined || !ts.isStringLiteralLike(kind) || kind.text !== "text" || text === undefined)
    return undefined;
  if (ts.isPropertyAssignment(text)) return text.initializer;
  return ts.isShorthandPropertyAssignment(text) ? text.name : undefined;
}

function plainEdits(result: Result, returned: Returned | undefined, handler: Handler): readonly SourceEdit[] {
  if (returned === undefined || result.kind === "other") return [];
  const { value, statement } = returned;
  const inner = result.kind === "structured" ? result.value : result.text;
  const isError = result.kind === "error";
  const outer = isError && statement !== undefined ? statement : value;
  if (inner === outer) return [];
  // Inside a `try` with a `catch`, the error is returned as a rejected promise: a `throw` would be caught there, but a
  // promise that is returned without `await` is not.
  const isCaught = isInTry(value, handler);
  const [before, after] = !isError
    ? ["", ""]
    : statement === undefined || isCaught
      ? [
          `${statement === undefined ? "" : "return "}Promise.reject(new ValueError(`,
          statement === undefined ? "))" : "));",
        ]
      : ["throw new ValueError(", ");"];
  return [
    { start: outer.getStart(), end: inner.getStart(), text: before },
    { start: inner.end, end: outer.end, text: after },
  ];
}

/** True for a node inside a `try` block with a `catch`, within the same function. */
function isInTry(node: ts.Node | undefined, handler: Handler): boolean {
  for (let at = node; at !== undefined && at !== handler; at = at.parent) {
    const { parent } = at;
    if (ts.isTryStatement(parent) && parent.tryBlock === at && parent.catchClause !== undefined) return true;
  }
  return false;
}

function throughContent(context: AdoptContext, returned: readonly Returned[]): ResultManner {
  const edits = returned.flatMap(({ value }) => [
    { start: value.getStart(), end: value.getStart(), text: "contentOf(" },
    { start: value.end, end: value.end, text: ")" },
  ]);
  const [first] = returned;
  if (first !== undefined)
    leaveOpen(
      context,
      first.value,
      "results that are made elsewhere stay in the form of MCP",
      "return the value itself instead of `contentOf(…)`",
    );
  return { kind: "content", edits, throwsValueError: false };
}
