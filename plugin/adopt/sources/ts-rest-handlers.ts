import { ts } from "ts-morph";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import { follow, type Followed, memberOf, unbound } from "../base/follow.ts";
import { calleeName, contractOf, membersOf } from "./ts-rest-contract.ts";

/**
 * Finds the handlers of endpoints, by the object literal of the endpoint. A handler and its contract are arguments of
 * one call, such as `s.router(contract, { … })`, `createNextRoute(…)` or `tsRestHandler(contract.read, …)`.
 */
export function readHandlers(
  context: AdoptContext,
  files: readonly ts.SourceFile[],
  isEndpoint: (node: ts.Node) => boolean,
): ReadonlyMap<ts.Node, ts.Node> {
  const handlers = new Map<ts.Node, ts.Node>();
  const implement = (contract: Followed, given: Followed): void => {
    if (isEndpoint(contract.node)) {
      const handler = handlerOf(context, given, isEndpoint);
      if (handler !== undefined && !handlers.has(contract.node)) handlers.set(contract.node, handler);
      return;
    }
    const handled = follow(context, given);
    for (const [key, member] of membersOf(context, contract)) {
      const inner = memberOf(context, handled, key);
      if (inner !== undefined) implement(contractOf(context, member), inner);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [first, second] = node.arguments;
      if (first !== undefined && second !== undefined)
        implement(contractOf(context, { node: first, bound: unbound }), { node: second, bound: unbound });
    }
    // With NestJS, the endpoint is named in a decorator of the handler's method.
    for (const { expression } of ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [])
      if (ts.isMethodDeclaration(node) && ts.isCallExpression(expression) && calleeName(expression) === "TsRest") {
        const [first] = expression.arguments;
        const target = first && contractOf(context, { node: first, bound: unbound }).node;
        if (target !== undefined && isEndpoint(target)) handlers.set(target, node);
      }
    ts.forEachChild(node, visit);
  };
  for (const file of files) if (file.text.includes("@ts-rest/")) visit(file);
  return handlers;
}

function handlerOf(
  context: AdoptContext,
  given: Followed,
  isEndpoint: (node: ts.Node) => boolean,
): ts.Node | undefined {
  const { node, bound } = follow(context, given);
  if (ts.isObjectLiteralExpression(node)) {
    const inner = memberOf(context, { node, bound }, "handler");
    return inner && handlerOf(context, inner, isEndpoint);
  }
  const isFunction = ts.isFunctionLike(node);
  if (isFunction) return node;
  if (!ts.isCallExpression(node)) return undefined;
  const [first] = node.arguments;
  if (first !== undefined && isEndpoint(contractOf(context, { node: first, bound }).node)) return undefined;
  const [inner, ...more] = node.arguments.filter((one) => ts.isArrowFunction(one) || ts.isFunctionExpression(one));
  if (inner === undefined || more.length > 0) return undefined;
  leaveOpen(context, node, `\`${calleeName(node)}\` around the handler`, "call what it does in the body");
  return inner;
}
