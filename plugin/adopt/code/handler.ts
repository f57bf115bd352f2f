import { ts } from "ts-morph";
import { resultsModule } from "../../model/adopted.ts";
import { leaveOpen } from "../base/context.ts";
import { indented } from "../base/comment.ts";
import { follow, type Followed } from "../base/follow.ts";
import { capture, carryNeeds, hasLongText } from "./carry.ts";
import { addImport, type Draft, type Drafts } from "./drafts.ts";
import { type Handler, plainResults } from "./mcp-results.ts";
import { dedented, editedText, type SourceEdit } from "./source-edits.ts";

/** The body of a tool, made from a handler. */
export interface HandledBody {
  readonly parameter: string;
  readonly body: string;
  readonly isAsync: boolean;
  readonly result?: string;
}

/** Type of the result of a tool that returns blocks of MCP. */
const contentResult = "(string | Content)[]";

/** The result type of a tool that has a schema for it. */
export interface HandlerManner {
  readonly result: string | undefined;
}

/** Makes the body of a tool of an MCP library from its handler: a function, or an expression that is one. */
export function readHandler(drafts: Drafts, draft: Draft, from: Followed, { result }: HandlerManner): HandledBody {
  const handler = functionOf(follow(drafts.context, from).node, draft);
  if (handler === undefined) return calledHandler(drafts, draft, from.node);
  leaveErrors(drafts, handler);
  const manner = plainResults(drafts.context, handler, result !== undefined);
  if (manner.throwsValueError) addImport(draft, "tenon", "ValueError", false);
  if (manner.kind === "content") useContent(draft);
  const { parameter, body } = handlerText(drafts, draft, handler, manner.edits);
  const isAsync = handler.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  const type = manner.kind === "content" ? contentResult : manner.kind === "text" ? "string" : result;
  return {
    parameter,
    body,
    isAsync: isAsync || manner.kind === "content",
    ...(type !== undefined && { result: type }),
  };
}

/** Names errors whose text callers got, and get no more. */
export function leaveErrors({ context }: Drafts, handler: Handler): void {
  const visit = (node: ts.Node): void => {
    if (ts.isThrowStatement(node) && /^new Error\b/.test(node.expression.getText()))
      leaveOpen(context, node, "callers see the text of a `ValueError` only", "throw `ValueError` if they may see it");
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(handler, visit);
}

/** The function itself, if it stands in the file of the module. */
function functionOf(node: ts.Node, draft: Draft): Handler | undefined {
  if (node.getSourceFile().fileName !== draft.file) return undefined;
  const isFunction = [
    ts.isArrowFunction,
    ts.isFunctionExpression,
    ts.isMethodDeclaration,
    ts.isFunctionDeclaration,
  ].some((is) => is(node));
  return isFunction ? (node as Handler) : undefined;
}

/** A handler that is made elsewhere is called as it is. */
function calledHandler(drafts: Drafts, draft: Draft, node: ts.Expression): HandledBody {
  useContent(draft);
  const edits = carryNeeds(drafts, draft, node);
  const text = editedText(node.getSourceFile(), node.getStart(), node.end, edits);
  const callee = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) ? text : `(${text})`;
  return {
    parameter: "request",
    body: indented(`return contentOf(await ${callee}(request));`),
    isAsync: true,
    result: contentResult,
  };
}

function useContent(draft: Draft): void {
  addImport(draft, resultsModule, "contentOf", false);
  addImport(draft, "tenon", "Content", true);
}

/**
 * The parameter and the body of a function, with what they need carried into the module.
 *
 * @param capturesContext False if the caller has captured the names that parameters bind
 */
export function handlerText(
  drafts: Drafts,
  draft: Draft,
  handler: Handler,
  edits: readonly SourceEdit[],
  capturesContext = true,
): { readonly parameter: string; readonly body: string } {
  const { body, parameters } = handler;
  const source = handler.getSourceFile();
  const [first, ...others] = parameters;
  if (capturesContext)
    for (const other of others) captureBinding(drafts, draft, other, (_, name) => mentions(body, name));
  const all = [...edits, ...(body === undefined ? [] : carryNeeds(drafts, draft, body, handler))];
  const binding = capturesContext && first ? bindingOf(first) : undefined;
  const { parameter, before } = binding ?? { parameter: "", before: "" };
  if (body === undefined) return { parameter, body: before };
  const isBlock = ts.isBlock(body);
  const inner = !isBlock && ts.isParenthesizedExpression(body) ? body.expression : body;
  const [start, end] = isBlock ? [body.getStart() + 1, body.end - 1] : [inner.getStart(), inner.end];
  const text = editedText(source, start, end, all);
  if (!isBlock) return { parameter, body: before + indented(`return ${text};`) };
  const statements = hasLongText(body)
    ? text.replace(/^\s*\n/, "").trimEnd()
    : indented(dedented(`\n${text.replace(/^\s*\n/, "")}`).trim());
  return { parameter, body: before + statements };
}

/** Leaves the names that a parameter binds to the author, if they are used: context, session, progress. */
export function captureBinding(
  drafts: Drafts,
  draft: Draft,
  parameter: ts.ParameterDeclaration,
  isUsed: (declaration: ts.ParameterDeclaration | ts.BindingElement, name: string) => boolean,
): void {
  const visit = (name: ts.BindingName, owner: ts.ParameterDeclaration | ts.BindingElement): void => {
    if (ts.isIdentifier(name)) {
      if (isUsed(owner, name.text)) capture(drafts, draft, owner, name.text, "any");
    } else for (const element of name.elements) if (ts.isBindingElement(element)) visit(element.name, element);
  };
  visit(parameter.name, parameter);
}

/** True for a name that a piece of code mentions. */
export function mentions(node: ts.Node | undefined, name: string): boolean {
  return node !== undefined && new RegExp(`(?<![\\w$])${name.replace("$", "\\$")}(?![\\w$])`).test(node.getText());
}

/** The parameter. A pattern with defaults stays in the body: tenon would make them defaults of the request. */
function bindingOf(parameter: ts.ParameterDeclaration): { readonly parameter: string; readonly before: string } {
  const { name } = parameter;
  const text = name.getText();
  if (ts.isIdentifier(name)) return { parameter: text, before: "" };
  const isPlain = name.elements.every(
    (one) => ts.isBindingElement(one) && one.initializer === undefined && one.dotDotDotToken === undefined,
  );
  return isPlain ? { parameter: text, before: "" } : { parameter: "request", before: `  const ${text} = request;\n` };
}
