import { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import { follow, unbound } from "../base/follow.ts";
import { type Shape, textShape } from "../base/shape.ts";
import { addImport, type Draft, type Drafts } from "./drafts.ts";
import { captureBinding, type HandledBody, handlerText } from "./handler.ts";
import type { Handler } from "./mcp-results.ts";
import type { SourceEdit } from "./source-edits.ts";
import { keyText } from "../zod/shape-text.ts";

/** Names of the fields of a request, by the part that they come from. */
export interface RequestParts {
  readonly params: readonly string[];
  readonly query: readonly string[];
  /** Names, or the name of the one field that is the whole body. */
  readonly body: readonly string[] | string;
  /** All fields. A handler may add those that it reads without a schema. */
  readonly fields: Map<string, Shape>;
}

/** An answer of a handler: its body, and its status if that stands in the code. */
export interface RouteAnswer {
  /** Undefined: an answer without a body. */
  readonly value: ts.Expression | undefined;
  readonly isError: boolean;
}

/** The form in which a library gives requests to its handlers, and takes their answers. */
export interface RouteLibrary {
  /** The part of the request that an expression stands for, or the name of one field. */
  part(node: ts.Node, handler: Handler): "params" | "query" | "body" | { readonly field: string } | undefined;
  /** The answer that an expression gives; undefined for other expressions. */
  answer(node: ts.Expression, handler: Handler): RouteAnswer | undefined;
}

/** Name of the parameter: handlers call theirs `request` or `req`. */
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
  const isFunction = ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node);
  if (!isFunction || node.getSourceFile().fileName !== draft.file) {
    leaveOpen(context, given.handler, "the handler stands elsewhere", "write the body, or call what the handler calls");
    return { parameter, body: '  throw new Error("The body was not carried over.");', isAsync: true, result };
  }
  const edits: SourceEdit[] = [];
  const visit = (at: ts.Node): void => {
    const part = library.part(at, node);
    if (part !== undefined) edits.push({ start: at.getStart(), end: at.end, text: partText(part, parts) });
    else {
      const statement = at.parent;
      const isAnswer = ts.isReturnStatement(statement) || ts.isExpressionStatement(statement) || statement === node;
      const answer = isAnswer && ts.isExpression(at) ? library.answer(at, node) : undefined;
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
  // A key that is missing must stay missing: callees spread parts over values that they know.
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
  { value, isError }: RouteAnswer,
  handler: Handler,
): readonly SourceEdit[] {
  const { parent } = at;
  const isStatement = ts.isReturnStatement(parent) || ts.isExpressionStatement(parent);
  const outer = isStatement ? parent : at;
  if (value === undefined)
    return [{ start: outer.getStart(), end: outer.end, text: isStatement ? "return;" : "undefined" }];
  const inner = isError ? errorText(value) : value;
  if (isError) addImport(draft, "tenon", "ValueError", false);
  const isCaught = isInTry(at, handler);
  const [wrap, close] = inner === value && isError ? ["JSON.stringify(", ")"] : ["", ""];
  const [before, after] = !isError
    ? [isStatement ? "return " : "", isStatement ? ";" : ""]
    : isStatement && !isCaught
      ? [`throw new ValueError(${wrap}`, `${close});`]
      : [`${isStatement ? "return " : ""}Promise.reject(new ValueError(${wrap}`, `${close}))${isStatement ? ";" : ""}`];
  return [
    { start: outer.getStart(), end: inner.getStart(), text: before },
    { start: inner.end, end: outer.end, text: after },
  ];
}

/** The text in `{ error: "…" }` or `{ message: "…" }`; otherwise the value. */
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

/** Parameters of the handler that are used in other ways are left to the author. */
function captureRest(drafts: Drafts, draft: Draft, handler: Handler, edits: readonly SourceEdit[]): void {
  const { checker } = drafts.context;
  const used = new Set<ts.Node>();
  const visit = (at: ts.Node): void => {
    if (edits.some(({ start, end, text }) => at.getStart() >= start && at.end <= end && !text.startsWith("return ;")))
      return;
    if (ts.isIdentifier(at)) {
      const declaration = checker.getSymbolAtLocation(at)?.declarations?.[0];
      if (declaration !== undefined) used.add(declaration);
    }
    ts.forEachChild(at, visit);
  };
  if (handler.body !== undefined) visit(handler.body);
  for (const one of handler.parameters) captureBinding(drafts, draft, one, (declaration) => used.has(declaration));
}
