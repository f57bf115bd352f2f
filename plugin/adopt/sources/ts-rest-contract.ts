import { ts } from "ts-morph";
import type { AdoptContext } from "../base/context.ts";
import { follow, type Followed, keyOf, memberOf } from "../base/follow.ts";
import { staticText } from "../base/static-value.ts";

/** An endpoint of a contract of ts-rest. */
export interface Endpoint {
  /** Object literal that defines the endpoint. */
  readonly node: ts.ObjectLiteralExpression;
  /** Keys of the routers that contain the endpoint, from the outermost one, and its own key. */
  readonly keys: readonly string[];
  readonly method: string;
  /** Path with the prefixes of all routers that contain the endpoint. */
  readonly path: string;
  readonly members: ReadonlyMap<string, Followed>;
}

/** Functions that return their argument, a contract, unchanged. */
const wrappers: ReadonlySet<string> = new Set(["router", "query", "mutation", "nestControllerContract"]);

/** Returns the name of the function or method that is called. */
export function calleeName({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

/** Follows an expression to the object literal of a contract or an endpoint. */
export function contractOf(context: AdoptContext, from: Followed, depth = 0): Followed {
  const found = follow(context, from);
  const { node, bound } = found;
  if (depth > 20) return found;
  if (ts.isCallExpression(node)) {
    const [first] = node.arguments;
    const isWrapper = first !== undefined && wrappers.has(calleeName(node));
    return isWrapper ? contractOf(context, { node: first, bound }, depth + 1) : found;
  }
  if (!ts.isPropertyAccessExpression(node)) return found;
  const owner = contractOf(context, { node: node.expression, bound }, depth + 1);
  const member = membersOf(context, owner).get(node.name.text);
  return member === undefined ? found : contractOf(context, member, depth + 1);
}

/** Lists the values of an object literal by key, including those of contracts that are spread into it. */
export function membersOf(context: AdoptContext, { node, bound }: Followed): ReadonlyMap<string, Followed> {
  const members = new Map<string, Followed>();
  if (!ts.isObjectLiteralExpression(node)) return members;
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const spread = contractOf(context, { node: property.expression, bound });
      for (const [key, member] of membersOf(context, spread)) members.set(key, member);
      continue;
    }
    const key = keyOf(property);
    const member = key === undefined ? undefined : memberOf(context, { node, bound }, key);
    if (key !== undefined && member !== undefined) members.set(key, member);
  }
  return members;
}

/**
 * Finds all endpoints of the contracts in the files. An endpoint that several contracts contain gets the keys of the
 * outermost one.
 */
export function readEndpoints(context: AdoptContext, files: readonly ts.SourceFile[]): readonly Endpoint[] {
  const found = new Map<ts.Node, Endpoint>();
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !isContract(context, node)) return;
    for (const endpoint of endpointsOf(context, { node, bound: new Map() }, [], "")) {
      const known = found.get(endpoint.node);
      if (known === undefined || sizeOf(known) < sizeOf(endpoint)) found.set(endpoint.node, endpoint);
    }
  };
  for (const file of files) visit(file);
  return [...found.values()];
}

function sizeOf({ keys, path }: Endpoint): number {
  return keys.length + path.length;
}

/** True for a call `c.router(…)` where `c` is the result of `initContract()`. */
function isContract(context: AdoptContext, { expression }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "router") return false;
  const owner = follow(context, { node: expression.expression, bound: new Map() }).node;
  return ts.isCallExpression(owner) && calleeName(owner) === "initContract";
}

function endpointsOf(
  context: AdoptContext,
  from: Followed,
  keys: readonly string[],
  prefix: string,
): readonly Endpoint[] {
  const { node, bound } = follow(context, from);
  if (ts.isCallExpression(node)) {
    const [first, options] = node.arguments;
    if (first === undefined || !wrappers.has(calleeName(node))) return [];
    const own = options && memberOf(context, follow(context, { node: options, bound }), "pathPrefix");
    const added = (own && staticText(context, own.node, own.bound)) ?? "";
    return endpointsOf(context, { node: first, bound }, keys, prefix + added);
  }
  if (ts.isPropertyAccessExpression(node)) {
    const target = contractOf(context, { node, bound });
    return target.node === node ? [] : endpointsOf(context, target, keys, prefix);
  }
  if (!ts.isObjectLiteralExpression(node)) return [];
  const members = membersOf(context, { node, bound });
  const [method, path] = ["method", "path"].map((key) => {
    const member = members.get(key);
    return member && staticText(context, member.node, member.bound);
  });
  if (method !== undefined && path !== undefined) return [{ node, keys, method, path: prefix + path, members }];
  return [...members].flatMap(([key, member]) => endpointsOf(context, member, [...keys, key], prefix));
}
