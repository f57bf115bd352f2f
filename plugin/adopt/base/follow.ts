import { ts } from "ts-morph";
import type { AdoptContext } from "./context.ts";

/** Arguments of the functions that are being followed, by the declarations of the parameters. */
export type Bindings = ReadonlyMap<ts.Node, Followed>;

/** An expression, with the arguments of the parameters that it may mention. */
export interface Followed {
  readonly node: ts.Expression;
  readonly bound: Bindings;
  /** Declaration of the variable whose initial value the expression is, if a name was followed. */
  readonly declaration?: ts.VariableDeclaration;
}

/** Bindings for code outside of functions, which has no parameters. */
export const unbound: Bindings = new Map();

/** Finds the declaration to which a name refers, even in another file. */
export function declarationOf(context: AdoptContext, name: ts.Identifier): ts.Declaration | undefined {
  const { checker } = context;
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  if (symbol === undefined) return undefined;
  const target = (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
  return target.valueDeclaration ?? target.declarations?.[0];
}

/** Follows names, members of object literals, and casts to the expression whose value they have. */
export function follow(context: AdoptContext, from: Followed, depth = 0): Followed {
  const { node, bound } = from;
  if (depth > 30) return from;
  const on = (next: Followed): Followed => follow(context, next, depth + 1);
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  )
    return on({ ...from, node: node.expression });
  if (ts.isIdentifier(node)) return followName(context, from, node, on);
  if (ts.isPropertyAccessExpression(node)) {
    const member = memberOf(context, on({ node: node.expression, bound }), node.name.text);
    return member === undefined ? from : on(member);
  }
  if (isFreeze(node) && node.arguments[0] !== undefined) return on({ ...from, node: node.arguments[0] });
  return from;
}

function followName(
  context: AdoptContext,
  from: Followed,
  node: ts.Identifier,
  on: (next: Followed) => Followed,
): Followed {
  const declaration = declarationOf(context, node);
  if (declaration === undefined) return from;
  const given = from.bound.get(declaration);
  if (given !== undefined) return on(given);
  if (ts.isExportAssignment(declaration)) return on({ node: declaration.expression, bound: new Map() });
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return from;
  if (!ts.isIdentifier(declaration.name)) return from;
  if ((ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) === 0) return from;
  return on({ node: declaration.initializer, bound: from.bound, declaration });
}

/** Finds the value of a key in an object literal, including keys that it gets by spreading other objects. */
export function memberOf(context: AdoptContext, { node, bound }: Followed, key: string): Followed | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  for (const property of node.properties.toReversed()) {
    if (ts.isSpreadAssignment(property)) {
      const found = memberOf(context, follow(context, { node: property.expression, bound }), key);
      if (found !== undefined) return found;
    } else if (keyOf(property) === key) {
      if (ts.isPropertyAssignment(property)) return { node: property.initializer, bound };
      if (ts.isShorthandPropertyAssignment(property)) return { node: property.name, bound };
      if (ts.isMethodDeclaration(property)) return { node: property as unknown as ts.Expression, bound };
    }
  }
  return undefined;
}

/** Returns the key of a property in an object literal; undefined if the key is computed at run time. */
export function keyOf(property: ts.ObjectLiteralElementLike): string | undefined {
  const { name } = property;
  if (name === undefined) return undefined;
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

function isFreeze(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText() === "Object.freeze";
}

/**
 * Returns the expression that a function consisting of a single `return` returns, with the call's arguments bound to
 * its parameters.
 */
export function followCall(context: AdoptContext, { node, bound }: Followed): Followed | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  const declaration = declarationOf(context, node.expression);
  const initializer = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  const callee = initializer ?? declaration;
  if (callee === undefined || !(ts.isArrowFunction(callee) || ts.isFunctionDeclaration(callee))) return undefined;
  const { body } = callee;
  const [only] = body !== undefined && ts.isBlock(body) ? body.statements : [];
  const result = body === undefined || !ts.isBlock(body) ? body : only && ts.isReturnStatement(only) && only.expression;
  if (!result) return undefined;
  const inner = new Map(bound);
  callee.parameters.forEach((parameter, index) => {
    const argument = node.arguments[index] ?? parameter.initializer;
    if (argument !== undefined) inner.set(parameter, { node: argument, bound });
  });
  return { node: result, bound: inner };
}
