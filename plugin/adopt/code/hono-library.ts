import { STATUS_CODES } from "node:http";
import { ts } from "ts-morph";
import type { AdoptContext } from "../base/context.ts";
import { unbound } from "../base/follow.ts";
import { staticText, staticValue } from "../base/static-value.ts";
import type { Handler } from "./mcp-results.ts";
import type { RouteLibrary } from "./route-handler.ts";

/** Reads handlers of Hono: `c.req.valid("json")`, `c.req.param("id")`, `c.json(value, status)`. */
export function honoLibrary(context: AdoptContext): RouteLibrary {
  return {
    part(node, handler) {
      const [owner, method] = calledOn(node);
      if (owner !== `${contextName(handler)}.req` || !ts.isCallExpression(node)) return undefined;
      const name = staticText(context, node.arguments[0]);
      if (method === "valid")
        return name === "param" ? "params" : name === "query" ? "query" : name === "header" ? undefined : "body";
      if (method === "param") return name === undefined ? "params" : { field: name };
      return method === "query" && name !== undefined ? { field: name } : undefined;
    },
    answer(node, handler) {
      const [owner, method] = calledOn(node);
      if (owner !== contextName(handler) || !ts.isCallExpression(node)) return undefined;
      const [value, status] = node.arguments;
      if (method !== "json" && method !== "text" && method !== "body") return undefined;
      const isError = isErrorStatus(context, status);
      if (value?.kind !== ts.SyntaxKind.NullKeyword || (method !== "body" && !isError)) return { value, isError };
      return { value: undefined, isError, ...(isError && status && { text: statusText(context, status) }) };
    },
  };
}

/** Returns the object and the name of a method call. */
export function calledOn(node: ts.Node): readonly [string, string] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return ["", ""];
  return [node.expression.expression.getText(), node.expression.name.text];
}

function contextName({ parameters }: Handler): string {
  return parameters[0]?.name.getText() ?? "";
}

/** True for a status of 400 and above, also if it is written as a name such as `HttpStatus.NOT_FOUND`. */
export function isErrorStatus(context: AdoptContext, status: ts.Expression | undefined): boolean {
  if (status === undefined) return false;
  const value = staticValue(context, { node: status, bound: unbound })?.value;
  if (typeof value === "number") return value >= 400;
  return !/\b(?:OK|CREATED|ACCEPTED|NO_CONTENT)$/i.test(status.getText());
}

/** Returns the standard text of a status, for an error without a body. */
export function statusText(context: AdoptContext, status: ts.Expression): string {
  const value = staticValue(context, { node: status, bound: unbound })?.value;
  const text = typeof value === "number" ? STATUS_CODES[value] : undefined;
  return `${text ?? status.getText().replace(/^.*\./, "")}.`;
}
