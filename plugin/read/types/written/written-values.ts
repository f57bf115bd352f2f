import { ts } from "ts-morph";
import type { TypeContext } from "../../base/type-context.ts";
import { splitUndefined } from "./split-undefined.ts";

/** The written type of a value, and the property whose comment describes the value. */
export interface WrittenValue {
  readonly node: ts.TypeNode;
  readonly property?: ts.PropertySignature | ts.PropertyDeclaration;
}

/** Maximum length of a chain of constants and calls that is followed. */
const longestChain = 20;

/**
 * Finds the written type of a value: for a value that was declared as `Email`, the compiler infers `string`. Undefined
 * if the value has another type in the end.
 */
export function writtenForValue(context: TypeContext, value: ts.Node, type: ts.Type): WrittenValue | undefined {
  const found = declaredType(context, value, 0);
  if (found === undefined) return undefined;
  const node = promised(found.node);
  const declared = splitUndefined(context.reading.checker.getTypeFromTypeNode(node)).type;
  return declared !== undefined && declared === splitUndefined(type).type ? { ...found, node } : undefined;
}

/** Finds the declared type of a value, even if the value has been narrowed to another type. */
export function declaredType(context: TypeContext, value: ts.Node, depth: number): WrittenValue | undefined {
  if (depth > longestChain) return undefined;
  const { checker } = context.reading;
  if (
    ts.isParenthesizedExpression(value) ||
    ts.isNonNullExpression(value) ||
    ts.isSatisfiesExpression(value) ||
    ts.isAwaitExpression(value)
  )
    return declaredType(context, value.expression, depth + 1);
  if (ts.isAsExpression(value) || ts.isTypeAssertionExpression(value))
    return ts.isConstTypeReference(value.type)
      ? declaredType(context, value.expression, depth + 1)
      : { node: value.type };
  if (ts.isCallExpression(value)) {
    const declaration = checker.getResolvedSignature(value)?.declaration;
    return declaration === undefined ? undefined : returnedType(context, declaration, depth + 1);
  }
  const isName =
    ts.isIdentifier(value) ||
    ts.isPropertyAccessExpression(value) ||
    ts.isQualifiedName(value) ||
    ts.isElementAccessExpression(value);
  return isName ? ofSymbol(context, symbolOf(checker, value), depth) : undefined;
}

function symbolOf(checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  const shorthand = ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node;
  const symbol = shorthand ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node);
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}

function ofSymbol(context: TypeContext, symbol: ts.Symbol | undefined, depth: number): WrittenValue | undefined {
  const declaration = symbol?.valueDeclaration;
  return declaration === undefined ? undefined : ofDeclaration(context, declaration, depth);
}

/** Finds the type of a declared value: its written type, else that of its initial value. */
export function ofDeclaration(context: TypeContext, declaration: ts.Declaration, depth = 0): WrittenValue | undefined {
  const { checker } = context.reading;
  if (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)) {
    if (declaration.type !== undefined) return { node: declaration.type, property: declaration };
  } else if (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration)) {
    if (declaration.type !== undefined) return { node: declaration.type };
  } else if (ts.isGetAccessor(declaration)) return returnedType(context, declaration, depth + 1);
  else if (ts.isShorthandPropertyAssignment(declaration)) return declaredType(context, declaration.name, depth + 1);
  else if (ts.isBindingElement(declaration)) {
    const name = declaration.propertyName ?? declaration.name;
    const key = ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;
    const owner = checker.getTypeAtLocation(declaration.parent);
    return key === undefined ? undefined : ofSymbol(context, owner.getProperty(key), depth + 1);
  }
  const { initializer } = declaration as { readonly initializer?: ts.Expression };
  return initializer === undefined ? undefined : declaredType(context, initializer, depth + 1);
}

/** Finds the written result type of a function, else that of the values that it returns. */
export function returnedType(
  context: TypeContext,
  declaration: ts.SignatureDeclaration | ts.JSDocSignature,
  depth: number,
): WrittenValue | undefined {
  const { type } = declaration;
  if (type !== undefined) return ts.isTypeNode(type) ? { node: type } : undefined;
  const found = returnedValues(declaration).map((value) => declaredType(context, value, depth + 1));
  const [first] = found;
  return found.every((one) => one !== undefined && one.node.getText() === first?.node.getText()) ? first : undefined;
}

/** The values that a function returns, without those of nested functions. */
export function returnedValues(declaration: ts.Node): readonly ts.Expression[] {
  const { body } = declaration as { readonly body?: ts.Node };
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body as ts.Expression];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/** Finds the function that `typeof name` refers to. */
export function queriedFunction(context: TypeContext, node: ts.Node): ts.SignatureDeclaration | undefined {
  if (ts.isFunctionTypeNode(node)) return node;
  if (!ts.isTypeQueryNode(node)) return undefined;
  const declaration = symbolOf(context.reading.checker, node.exprName)?.valueDeclaration;
  if (declaration === undefined) return undefined;
  if (ts.isFunctionDeclaration(declaration) || ts.isMethodSignature(declaration)) return declaration;
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined;
}

/** Returns the node of a promise's value: `T` in `Promise<T>`. */
export function promised(node: ts.TypeNode): ts.TypeNode {
  const [argument] =
    ts.isTypeReferenceNode(node) && /^Promise(Like)?$/.test(node.typeName.getText()) ? (node.typeArguments ?? []) : [];
  return argument ?? node;
}
