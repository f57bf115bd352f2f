import { ts } from "ts-morph";
import type { AdoptContext } from "../base/context.ts";
import { calledOn, isErrorStatus, statusText } from "./hono-library.ts";
import type { Handler } from "./mcp-results.ts";
import type { RouteLibrary } from "./route-handler.ts";

const parts: { readonly [name: string]: "params" | "query" | "body" } = {
  params: "params",
  query: "query",
  body: "body",
};

/** Reads handlers of Fastify: `request.params`, `reply.status(200).send(value)`. */
export function fastifyLibrary(context: AdoptContext): RouteLibrary {
  return {
    part(node, handler) {
      if (!ts.isPropertyAccessExpression(node) || !Object.hasOwn(parts, node.name.text)) return undefined;
      return node.expression.getText() === nameOf(handler, 0) ? parts[node.name.text] : undefined;
    },
    answer(node, handler) {
      const sent = ts.isAwaitExpression(node) ? node.expression : node;
      const [, method] = calledOn(sent);
      if (method !== "send" || !ts.isCallExpression(sent)) return undefined;
      const reply = (sent.expression as ts.PropertyAccessExpression).expression;
      const status = statusOf(reply, nameOf(handler, 1));
      if (status === undefined) return undefined;
      const isError = isErrorStatus(context, status.node);
      const [value] = sent.arguments;
      if (!isError || (value !== undefined && value.kind !== ts.SyntaxKind.NullKeyword)) return { value, isError };
      return { value: undefined, isError, ...(status.node && { text: statusText(context, status.node) }) };
    },
  };
}

/**
 * Returns the status that a chain of calls on `reply` sets. Undefined if the chain begins with something else, or
 * contains other calls.
 */
function statusOf(chain: ts.Expression, reply: string): { readonly node: ts.Expression | undefined } | undefined {
  if (chain.getText() === reply) return { node: undefined };
  const [owner, method] = calledOn(chain);
  const isStatus = (method === "status" || method === "code") && owner === reply;
  return isStatus && ts.isCallExpression(chain) ? { node: chain.arguments[0] } : undefined;
}

function nameOf({ parameters }: Handler, index: number): string {
  return parameters[index]?.name.getText() ?? "";
}
