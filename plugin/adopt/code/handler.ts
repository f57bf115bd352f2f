import { ts } from "ts-morph";
import { resultsModule } from "../../model/adopted.ts";
import { leaveOpen } from "../base/context.ts";
import { indented } from "../base/comment.ts";
import { follow, type Followed } from "../base/follow.ts";
import { capture, carryNeeds, hasLongText } from "./carry.ts";
import { addImport, type Draft, type Drafts } from "./drafts.ts";
import { type Handler, plainResults } from "./mcp-results.ts";
import { dedented, editedText, type SourceEdit } from "./source-edits.ts";

/** Parameter and body of a tool's function, made from a handler. */
export interface HandledBody {
  readonly parameter: string;
  readonly body: string;
  readonly isAsync: boolean;
  readonly result?: string;
}

/** Result type of a tool that returns content blocks of MCP. */
const contentResult = "(string | Content)[]";

/** Name of the result's type; undefined if the tool declares no schema of its result. */
export interface HandlerManner {
  readonly result: string | undefined;
}

/**
 * Makes the body of a tool from the handler of an MCP library. The handler is a function, or an expression that
 * evaluates to a function.
 */
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

/**
 * Reports errors whose text callers could see before, and cannot see any more: tenon sends only the text of a
 * `ValueError`.
 */
export function leaveErrors({ context }: Drafts, handler: Handler): void {
  const visit = (node: ts.Node): void => {
    if (ts.isThrowStatement(node) && /^new Error\b/.test(node.expression.getText()))
      leaveOpen(context, node, "callers see the text of a `ValueError` only", "throw `ValueError` if they may see it");
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(handler, visit);
}

/** Returns the node as a function; undefined if it is not a function of the module's own file. */
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

/** Makes a body that calls the handler, for a handler that is defined in another file. */
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
 * Returns parameter and body of a function, after adding everything that they refer to to the module.
 *
 * @param capturesContext False if the caller declares the names that the parameters bind
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

/**
 * Declares the names that a parameter binds, if they are used, for the author to provide: context, session, progress.
 */
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

/** True if a piece of code contains a name. */
export function mentions(node: ts.Node | undefined, name: string): boolean {
  return node !== undefined && new RegExp(`(?<![\\w$])${name.replace("$", "\\$")}(?![\\w$])`).test(node.getText());
}

/**
 * Returns the parameter. A pattern with defaults is moved into the body, since tenon would treat these as defaults of
 * the request.
 */
function bindingOf(parameter: ts.ParameterDeclaration): { readonly parameter: string; readonly before: string } {
  const { name } = parameter;
  const text = name.getText();
  if (ts.isIdentifier(name)) return { parameter: text, before: "" };
  const isPlain = name.elements.every(
    (one) => ts.isBindingElement(one) && one.initializer === undefined && one.dotDotDotToken === undefined,
  );
  return isPlain ? { parameter: text, before: "" } : { parameter: "request", before: `  const ${text} = request;\n` };
}
