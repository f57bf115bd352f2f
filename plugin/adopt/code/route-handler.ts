import { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import { declarationOf, follow, unbound } from "../base/follow.ts";
import { type Shape, textShape } from "../base/shape.ts";
import { addImport, type Draft, type Drafts } from "./drafts.ts";
import { captureBinding, type HandledBody, handlerText } from "./handler.ts";
import type { Handler } from "./mcp-results.ts";
import type { SourceEdit } from "./source-edits.ts";
import { keyText } from "../zod/shape-text.ts";

/** Names of a request's fields, grouped by the part of the HTTP request that contains them. */
export interface RequestParts {
  readonly params: readonly string[];
  readonly query: readonly string[];
  /** Names of the fields; or the name of a single field that contains the whole body. */
  readonly body: readonly string[] | string;
  /** All fields. Fields that the handler reads without a schema are added. */
  readonly fields: Map<string, Shape>;
}

/** An answer that a handler gives: its body, and whether its status is an error. */
export interface RouteAnswer {
  /** Body of the answer; undefined if there is none. */
  readonly value: ts.Expression | undefined;
  readonly isError: boolean;
  /** Error text for an answer without a body. */
  readonly text?: string;
}

/** Knowledge about a library: how its handlers read requests, and how they answer. */
export interface RouteLibrary {
  /** Returns the part of the request that an expression reads, or the name of a single field. */
  part(node: ts.Node, handler: Handler): "params" | "query" | "body" | { readonly field: string } | undefined;
  /** Returns the answer that an expression gives; undefined for an expression that gives no answer. */
  answer(node: ts.Expression, handler: Handler): RouteAnswer | undefined;
}

/** Parameter of the generated function. Its name differs from those that handlers use, such as `request` and `req`. */
const parameter = "input";

/** Makes the body of a tool from the handler of a route. */
export function routeBody(
  drafts: Drafts,
  draft: Draft,
  given: {
    readonly handler: ts.Node;
    readonly parts: RequestParts;
    readonly library: RouteLibrary;
    readonly result: string | undefined;
  },
): HandledBody {
  const { parts, library, result = "unknown" } = given;
  const { context } = drafts;
  const node: ts.Node = follow(context, { node: given.handler as ts.Expression, bound: unbound }).node;
  if (!isHandler(node) || node.getSourceFile().fileName !== draft.file) {
    leaveOpen(context, given.handler, "the handler stands elsewhere", "write the body, or call what the handler calls");
    return { parameter, body: '  throw new Error("The body was not carried over.");', isAsync: true, result };
  }
  const edits: SourceEdit[] = [];
  const answered = new Set<ts.Node>();
  const visit = (at: ts.Node): void => {
    const field = fieldOf(at, parts, (inner) => library.part(inner, node));
    const part = field ?? library.part(at, node);
    if (part !== undefined) {
      // A shorthand property `{ body }` becomes `{ body: … }`, so that its key does not change.
      const key = ts.isShorthandPropertyAssignment(at.parent) && !answered.has(at) ? `${at.getText()}: ` : "";
      edits.push({ start: at.getStart(), end: at.end, text: key + partText(part, parts) });
    } else {
      const answer = isAnswer(at, node) ? library.answer(at, node) : undefined;
      if (answer?.value !== undefined) answered.add(answer.value);
      if (answer !== undefined) edits.push(...answerEdits(drafts, draft, at as ts.Expression, answer, node));
      ts.forEachChild(at, visit);
    }
  };
  if (node.body !== undefined) visit(node.body);
  captureRest(drafts, draft, node, edits);
  const text = handlerText(drafts, draft, node, edits, false);
  const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  return { parameter, body: text.body, isAsync, result };
}

function isHandler(node: ts.Node): node is Handler {
  const kinds = [ts.isArrowFunction, ts.isFunctionExpression, ts.isFunctionDeclaration, ts.isMethodDeclaration];
  return kinds.some((is) => is(node));
}

/**
 * True for an expression that a function returns or that is a whole statement, and for a branch of such an expression.
 */
function isAnswer(node: ts.Node, handler: Handler): node is ts.Expression {
  if (!ts.isExpression(node)) return false;
  const { parent } = node;
  const isBranch = ts.isConditionalExpression(parent) && parent.condition !== node;
  if (isBranch || ts.isParenthesizedExpression(parent)) return isAnswer(parent, handler);
  return ts.isReturnStatement(parent) || ts.isExpressionStatement(parent) || parent === handler;
}

/** Returns the field that an expression reads directly from a part of the request, such as `query.page`. */
function fieldOf(
  node: ts.Node,
  parts: RequestParts,
  partOf: (node: ts.Node) => ReturnType<RouteLibrary["part"]>,
): { readonly field: string } | undefined {
  const part = ts.isPropertyAccessExpression(node) ? partOf(node.expression) : undefined;
  if (typeof part !== "string" || !ts.isPropertyAccessExpression(node)) return undefined;
  const names = parts[part];
  return typeof names !== "string" && names.includes(node.name.text) ? { field: node.name.text } : undefined;
}

function partText(part: Exclude<ReturnType<RouteLibrary["part"]>, undefined>, parts: RequestParts): string {
  if (typeof part === "object") {
    if (!parts.fields.has(part.field))
      parts.fields.set(part.field, { ...textShape("string", "string"), optional: true });
    return `${parameter}.${part.field}`;
  }
  const names = parts[part];
  if (typeof names === "string") return `${parameter}.${names}`;
  const others = [...parts.fields.keys()].filter((name) => !names.includes(name));
  if (others.length === 0) return parameter;
  // An absent key must not become a key with `undefined`: handlers may spread the part over existing values.
  if (names.some((name) => parts.fields.get(name)?.optional === true))
    return `(({ ${others.map((name, at) => `${keyText(name)}: _${at}`).join(", ")}, ...rest }) => rest)(${parameter})`;
  return `{ ${names.map((name) => `${keyText(name)}: ${memberText(name)}`).join(", ")} }`;
}

function memberText(name: string): string {
  return keyText(name) === name ? `${parameter}.${name}` : `${parameter}[${JSON.stringify(name)}]`;
}

function answerEdits(
  drafts: Drafts,
  draft: Draft,
  at: ts.Expression,
  { value, isError, text }: RouteAnswer,
  handler: Handler,
): readonly SourceEdit[] {
  const { parent } = at;
  const isStatement = ts.isReturnStatement(parent) || ts.isExpressionStatement(parent);
  const outer = isStatement ? parent : at;
  if (isError) addImport(draft, "tenon", "ValueError", false);
  const [begin, end] = isStatement ? ["return ", ";"] : ["", ""];
  const [opening, closing] =
    isStatement && !isInTry(at, handler)
      ? ["throw new ValueError(", ");"]
      : [`${begin}Promise.reject(new ValueError(`, `))${end}`];
  if (value === undefined) {
    const nothing = isStatement ? "return;" : "undefined";
    const whole = isError ? opening + JSON.stringify(text ?? "Refused.") + closing : nothing;
    return [{ start: outer.getStart(), end: outer.end, text: whole }];
  }
  const inner = isError ? errorText(value) : value;
  const [wrap, close] = inner === value && isError ? ["JSON.stringify(", ")"] : ["", ""];
  const [before, after] = isError ? [opening + wrap, close + closing] : [begin, end];
  return [
    { start: outer.getStart(), end: inner.getStart(), text: before },
    { start: inner.end, end: outer.end, text: after },
  ];
}

/** Returns the text in `{ error: "…" }` or `{ message: "…" }`; for any other value, the value itself. */
function errorText(value: ts.Expression): ts.Expression {
  if (!ts.isObjectLiteralExpression(value)) return value;
  for (const property of value.properties) {
    const isText = ts.isPropertyAssignment(property) && /^(?:error|message)$/.test(property.name.getText());
    if (isText && !ts.isObjectLiteralExpression(property.initializer)) return property.initializer;
  }
  return value;
}

function isInTry(node: ts.Node, handler: Handler): boolean {
  for (let at = node; at !== handler && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isTryStatement(parent) && parent.tryBlock === at && parent.catchClause !== undefined) return true;
  }
  return false;
}

/** Declares the handler's parameters that the edits did not replace, for the author to provide. */
function captureRest(drafts: Drafts, draft: Draft, handler: Handler, edits: readonly SourceEdit[]): void {
  const used = new Set<ts.Node>();
  const visit = (at: ts.Node): void => {
    if (edits.some(({ start, end, text }) => at.getStart() >= start && at.end <= end && !text.startsWith("return ;")))
      return;
    if (ts.isIdentifier(at)) {
      const declaration = declarationOf(drafts.context, at);
      if (declaration !== undefined) used.add(declaration);
    }
    ts.forEachChild(at, visit);
  };
  if (handler.body !== undefined) visit(handler.body);
  for (const one of handler.parameters) captureBinding(drafts, draft, one, (declaration) => used.has(declaration));
}
