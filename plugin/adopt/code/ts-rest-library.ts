import { ts } from "ts-morph";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import { declarationOf, type Followed, follow, memberOf, unbound } from "../base/follow.ts";
import { staticValue } from "../base/static-value.ts";
import { isErrorStatus, statusText } from "./hono-library.ts";
import type { Handler } from "./mcp-results.ts";
import type { RouteLibrary } from "./route-handler.ts";

const parts: { readonly [name: string]: "params" | "query" | "body" } = {
  params: "params",
  query: "query",
  body: "body",
};

/** Reads handlers of ts-rest: `({ params, query, body }) => ({ status: 200, body: value })`. */
export function tsRestLibrary(context: AdoptContext): RouteLibrary {
  return {
    part(node, handler) {
      const [first] = handler.parameters;
      if (first === undefined) return undefined;
      if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
        return declarationOf(context, node.expression) === first ? partNamed(node.name.text) : undefined;
      const element = ts.isIdentifier(node) && isValue(node) ? declarationOf(context, node) : undefined;
      if (element === undefined || !ts.isBindingElement(element)) return undefined;
      if (element.initializer !== undefined || element.dotDotDotToken !== undefined) return undefined;
      const name = (element.propertyName ?? element.name).getText();
      const owner = element.parent.parent;
      if (owner === first) return partNamed(name);
      // In the pattern `({ params: { id } })`, the name `id` is a field of a part.
      const isField = ts.isBindingElement(owner) && owner.parent.parent === first;
      return isField && partNamed(owner.propertyName?.getText() ?? "") !== undefined ? { field: name } : undefined;
    },
    answer(node, handler) {
      if (ts.isConditionalExpression(node) || ts.isParenthesizedExpression(node)) return undefined;
      const given: Followed = { node: withoutCast(node), bound: unbound };
      const [status, body] = ["status", "body"].map((key) => memberOf(context, given, key)?.node);
      const isError = status === undefined ? undefined : errorOf(context, status);
      if (status === undefined || isError === undefined) {
        if (isOwnAnswer(node, handler)) {
          const advice = "return the body alone, and throw `ValueError` if it is an error";
          leaveOpen(context, node, "an answer whose status does not stand in the code", advice);
        }
        return undefined;
      }
      if (body === undefined || body.getText() === "undefined" || (isError && body.kind === ts.SyntaxKind.NullKeyword))
        return { value: undefined, isError, ...(isError && { text: statusText(context, status) }) };
      return { value: body, isError };
    },
  };
}

function partNamed(name: string): "params" | "query" | "body" | undefined {
  return Object.hasOwn(parts, name) ? parts[name] : undefined;
}

/** False for a name where it is declared. */
function isValue({ parent }: ts.Identifier): boolean {
  return !ts.isBindingElement(parent) && !ts.isParameter(parent);
}

function withoutCast(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? withoutCast(node.expression) : node;
}

/** True for a status of an error; undefined if the status is known only at run time. */
function errorOf(context: AdoptContext, status: ts.Expression): boolean | undefined {
  const { node } = follow(context, { node: status, bound: unbound });
  const isKnown = staticValue(context, { node, bound: unbound }) !== undefined || /\.[A-Z_]+$/.test(node.getText());
  return isKnown ? isErrorStatus(context, node) : undefined;
}

/** True for an expression that the handler itself returns, and not a function inside it. */
function isOwnAnswer(node: ts.Expression, handler: Handler): boolean {
  const isReturned = ts.isReturnStatement(node.parent) || node.parent === handler;
  return isReturned && ts.findAncestor(node.parent, ts.isFunctionLike) === handler;
}
