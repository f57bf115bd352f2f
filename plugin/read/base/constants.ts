import { isBuiltin } from "node:module";
import { ts } from "ts-morph";
import type { JsonLiteral } from "../../model/type.ts";
import { UnresolvedInLean, type Reading } from "./reading.ts";

/** The value of a constant expression, or the part of the expression that is not a constant. */
export type Constant =
  | { readonly ok: true; readonly value: JsonLiteral | undefined }
  | { readonly ok: false; readonly node: ts.Node };

/**
 * Returns the argument of `new` for classes whose objects have the fields of that argument; undefined for other
 * classes.
 */
export type DataOfClass = (node: ts.NewExpression) => ts.Expression | undefined;

/**
 * Reads an expression as a constant: literals, lists, objects, templates without substitution, members of enums, and
 * names of `const` variables with such a value. A bigint becomes its wire text. Names are resolved only with a reading.
 */
export function readConstant(node: ts.Expression, reading?: Reading, dataOf?: DataOfClass, depth = 0): Constant {
  const inside = (inner: ts.Expression): Constant => readConstant(inner, reading, dataOf, depth + 1);
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  ) {
    return inside(node.expression);
  }
  if (ts.isStringLiteralLike(node)) return { ok: true, value: node.text };
  if (ts.isNumericLiteral(node)) return { ok: true, value: Number(node.text) };
  if (ts.isBigIntLiteral(node)) return { ok: true, value: String(bigintOf(node)) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { ok: true, value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { ok: true, value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { ok: true, value: null };
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const { operand } = node;
    if (ts.isNumericLiteral(operand)) return { ok: true, value: -Number(operand.text) };
    if (ts.isBigIntLiteral(operand)) return { ok: true, value: String(-bigintOf(operand)) };
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [inside(node.left), inside(node.right)];
    if (!left.ok || !right.ok) return left.ok ? right : left;
    return typeof left.value === "string" && typeof right.value === "string"
      ? { ok: true, value: left.value + right.value }
      : { ok: false, node };
  }
  const data = ts.isNewExpression(node) ? dataOf?.(node) : undefined;
  if (data !== undefined) return inside(data);
  if (ts.isArrayLiteralExpression(node)) return readList(node, inside);
  if (ts.isObjectLiteralExpression(node)) return readRecord(node, inside, reading);
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return depth > 20 ? { ok: false, node } : readName(node, reading, inside);
  return { ok: false, node };
}

function bigintOf(node: ts.BigIntLiteral): bigint {
  return BigInt(node.text.slice(0, -1));
}

function readList(node: ts.ArrayLiteralExpression, inside: (node: ts.Expression) => Constant): Constant {
  const values: JsonLiteral[] = [];
  for (const element of node.elements) {
    const item = ts.isSpreadElement(element) ? ({ ok: false, node: element } as const) : inside(element);
    if (!item.ok) return item;
    values.push(item.value ?? null);
  }
  return { ok: true, value: values };
}

function readRecord(
  node: ts.ObjectLiteralExpression,
  inside: (node: ts.Expression) => Constant,
  reading: Reading | undefined,
): Constant {
  const entries: [string, JsonLiteral][] = [];
  for (const property of node.properties) {
    const key = propertyKey(property);
    if (key === undefined) return { ok: false, node: property };
    const value = propertyValue(property, reading, inside);
    if (!value.ok) return value;
    if (value.value !== undefined) entries.push([key, value.value]);
  }
  return { ok: true, value: Object.fromEntries(entries) };
}

/** The value of one property of an object literal, read as a constant. */
export function readProperty(property: ts.ObjectLiteralElementLike, reading: Reading, dataOf?: DataOfClass): Constant {
  return propertyValue(property, reading, (node) => readConstant(node, reading, dataOf));
}

function propertyValue(
  property: ts.ObjectLiteralElementLike,
  reading: Reading | undefined,
  inside: (node: ts.Expression) => Constant,
): Constant {
  if (ts.isPropertyAssignment(property)) return inside(property.initializer);
  if (!ts.isShorthandPropertyAssignment(property)) return { ok: false, node: property };
  return followSymbol(reading?.checker.getShorthandAssignmentValueSymbol(property), property, reading, inside);
}

/** Returns the key of a property in an object literal; undefined for a computed key. */
export function propertyKey(property: ts.ObjectLiteralElementLike): string | undefined {
  const { name } = property;
  if (name === undefined) return undefined;
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

function readName(
  node: ts.Identifier | ts.PropertyAccessExpression | ts.ElementAccessExpression,
  reading: Reading | undefined,
  inside: (node: ts.Expression) => Constant,
): Constant {
  if (ts.isIdentifier(node) && node.text === "undefined") return { ok: true, value: undefined };
  if (reading === undefined) return { ok: false, node };
  const { checker } = reading;
  if (ts.isIdentifier(node)) return followSymbol(checker.getSymbolAtLocation(node), node, reading, inside);
  // The owner is resolved first: a `lean` program does not know the members of an import that it left out.
  const owner = rootOf(node);
  if (ts.isIdentifier(owner)) targetOf(reading, checker.getSymbolAtLocation(owner));
  const name = ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
  // `Mode[KEY]` is left out, since the symbol of `KEY` is that of another value.
  const isName = ts.isPropertyAccessExpression(node) || ts.isStringLiteralLike(name);
  return isName ? followSymbol(checker.getSymbolAtLocation(name), node, reading, inside) : { ok: false, node };
}

function rootOf(node: ts.Expression): ts.Expression {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) ? rootOf(node.expression) : node;
}

/** Returns what a symbol means, through imports. An import that a `lean` program left out ends the reading. */
function targetOf({ checker, lean }: Reading, symbol: ts.Symbol | undefined): ts.Symbol | undefined {
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol;
  const target = checker.getAliasedSymbol(symbol);
  if (lean && target.declarations === undefined && !isOfNode(symbol)) throw new UnresolvedInLean();
  return target;
}

/** True for an import of a module of Node's, whose constants are declared without a value. */
function isOfNode({ declarations = [] }: ts.Symbol): boolean {
  const from = declarations[0] && ts.findAncestor(declarations[0], ts.isImportDeclaration)?.moduleSpecifier;
  return from !== undefined && ts.isStringLiteral(from) && isBuiltin(from.text);
}

function followSymbol(
  symbol: ts.Symbol | undefined,
  node: ts.Node,
  reading: Reading | undefined,
  inside: (node: ts.Expression) => Constant,
): Constant {
  const declaration = reading && declarationOf(reading, symbol);
  if (reading === undefined || declaration === undefined) return { ok: false, node };
  if (ts.isEnumMember(declaration)) {
    const constant = reading.checker.getConstantValue(declaration);
    return constant === undefined ? { ok: false, node } : { ok: true, value: constant };
  }
  const initializer = constantValue(declaration);
  if (initializer === undefined) return { ok: false, node };
  // The problem is reported at the use of the value, where the author expects it.
  const value = inside(initializer);
  return value.ok ? value : { ok: false, node };
}

/** Returns the expression that a `const` variable was declared with, in this module or in one that it imports. */
export function initializerOf(reading: Reading, symbol: ts.Symbol | undefined): ts.Expression | undefined {
  const declaration = declarationOf(reading, symbol);
  return declaration && constantValue(declaration);
}

function declarationOf(reading: Reading, symbol: ts.Symbol | undefined): ts.Declaration | undefined {
  const declaration = targetOf(reading, symbol)?.valueDeclaration;
  if (declaration !== undefined) reading.touched.add(declaration.getSourceFile());
  return declaration;
}

function constantValue(declaration: ts.Declaration): ts.Expression | undefined {
  const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  return ts.isVariableDeclaration(declaration) && isConst ? declaration.initializer : undefined;
}

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const plainText = /^"[^"\\\r\n]*"$/;
/**
 * Matches a text that begins with a name, such as a word or a URL. Such a text is not parsed, since an expression that
 * begins with a name has no constant value.
 */
const named = /^(?!(?:true|false|null)\b)[A-Za-z_$]/;

/** Parses JSON or a literal of the language; `undefined` for any other text. */
export function literalFromText(text: string): JsonLiteral | undefined {
  // Numbers are handled first: most tags have a number or a text, and parsing a value as a module takes longer than all
  // other work on a tag.
  if (plainNumber.test(text)) return Number(text);
  if (plainText.test(text)) return text.slice(1, -1);
  if (named.test(text)) return undefined;
  const expression = expressionFromText(text);
  const constant = expression === undefined ? undefined : readConstant(expression);
  return constant?.ok === true ? constant.value : undefined;
}

/** Parses a text as one expression; `undefined` when it is not one. */
export function expressionFromText(text: string): ts.Expression | undefined {
  const file = ts.createSourceFile("text.ts", `(${text}\n)`, ts.ScriptTarget.ESNext, true);
  const problems = (file as { parseDiagnostics?: readonly unknown[] }).parseDiagnostics ?? [];
  const [statement] = file.statements;
  if (
    problems.length > 0 ||
    file.statements.length !== 1 ||
    statement === undefined ||
    !ts.isExpressionStatement(statement)
  )
    return undefined;
  return ts.isParenthesizedExpression(statement.expression) ? statement.expression.expression : undefined;
}
