import { ts } from "ts-morph";
import type { JsonLiteral } from "../../model/type.ts";
import type { AdoptContext } from "./context.ts";
import { declarationOf, follow, type Followed, keyOf, unbound } from "./follow.ts";

/**
 * A value that can be determined from the source code. Absent (undefined) for values that are known only at run time.
 */
export interface Static {
  readonly value: JsonLiteral;
}

/**
 * Determines the value of an expression from the source code: literals, templates, lists, objects, members of enums,
 * and names of constants with such values.
 */
export function staticValue(context: AdoptContext, from: Followed): Static | undefined {
  const { node, bound } = follow(context, from);
  const read = (inner: ts.Expression): Static | undefined => staticValue(context, { node: inner, bound });
  if (ts.isStringLiteralLike(node)) return { value: node.text };
  if (ts.isNumericLiteral(node)) return { value: Number(node.text) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const inner = read(node.operand);
    return typeof inner?.value === "number" ? { value: -inner.value } : undefined;
  }
  if (ts.isBinaryExpression(node)) return staticSum(node, read);
  if (ts.isTemplateExpression(node)) return staticTemplate(node, read);
  if (ts.isArrayLiteralExpression(node)) return staticList(node, read);
  if (ts.isObjectLiteralExpression(node)) return staticRecord(context, { node, bound });
  if (ts.isPropertyAccessExpression(node)) return enumMember(context, node);
  if (ts.isCallExpression(node)) return staticCall(context, { node, bound });
  return undefined;
}

/** Determines the text of an expression from the source code; undefined if it is known only at run time. */
export function staticText(
  context: AdoptContext,
  node: ts.Expression | undefined,
  bound = unbound,
): string | undefined {
  const found = node === undefined ? undefined : staticValue(context, { node, bound });
  return typeof found?.value === "string" ? found.value : undefined;
}

type Read = (node: ts.Expression) => Static | undefined;

function staticSum(node: ts.BinaryExpression, read: Read): Static | undefined {
  const [left, right] = [read(node.left)?.value, read(node.right)?.value];
  const isText = typeof left === "string" || typeof right === "string";
  if (left === undefined || right === undefined) return undefined;
  if (node.operatorToken.kind === ts.SyntaxKind.PlusToken && isText) return { value: `${left}${right}` };
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  switch (node.operatorToken.kind) {
    case ts.SyntaxKind.PlusToken:
      return { value: left + right };
    case ts.SyntaxKind.MinusToken:
      return { value: left - right };
    case ts.SyntaxKind.AsteriskToken:
      return { value: left * right };
    case ts.SyntaxKind.AsteriskAsteriskToken:
      return { value: left ** right };
    default:
      return undefined;
  }
}

function staticTemplate(node: ts.TemplateExpression, read: Read): Static | undefined {
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const inner = read(expression);
    if (inner === undefined || typeof inner.value === "object") return undefined;
    text += `${inner.value}${literal.text}`;
  }
  return { value: text };
}

function staticList(node: ts.ArrayLiteralExpression, read: Read): Static | undefined {
  const values: JsonLiteral[] = [];
  for (const element of node.elements) {
    const inner = read(ts.isSpreadElement(element) ? element.expression : element);
    if (inner === undefined) return undefined;
    if (ts.isSpreadElement(element) && Array.isArray(inner.value)) values.push(...(inner.value as JsonLiteral[]));
    else values.push(inner.value);
  }
  return { value: values };
}

function staticRecord(context: AdoptContext, { node, bound }: Followed): Static | undefined {
  const entries: [string, JsonLiteral][] = [];
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  for (const property of node.properties) {
    const key = keyOf(property);
    const value = ts.isSpreadAssignment(property)
      ? staticValue(context, { node: property.expression, bound })
      : ts.isPropertyAssignment(property)
        ? staticValue(context, { node: property.initializer, bound })
        : ts.isShorthandPropertyAssignment(property)
          ? staticValue(context, { node: property.name, bound })
          : undefined;
    if (value === undefined) return undefined;
    if (key !== undefined) entries.push([key, value.value]);
    else if (ts.isSpreadAssignment(property)) entries.push(...Object.entries(value.value ?? {}));
    else return undefined;
  }
  return { value: Object.fromEntries(entries) };
}

function enumMember(context: AdoptContext, node: ts.PropertyAccessExpression): Static | undefined {
  const target = ts.isIdentifier(node.expression) ? declarationOf(context, node.expression) : undefined;
  if (target === undefined || !ts.isEnumDeclaration(target)) return undefined;
  const member = target.members.find(({ name }) => (name as ts.Identifier).text === node.name.text);
  const value = member && constantOf(context, member);
  return value === undefined ? undefined : { value };
}

/** Value of a member as the compiler computes it; undefined if it is known only at run time, or JSON cannot hold it. */
function constantOf({ checker }: AdoptContext, member: ts.EnumMember): string | number | undefined {
  const value = checker.getConstantValue(member);
  return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
}

/** The members of an enum with their values; undefined if one of them is known only at run time. */
export function enumEntries(
  context: AdoptContext,
  node: ts.EnumDeclaration,
): ReadonlyMap<string, string | number> | undefined {
  const entries = new Map<string, string | number>();
  for (const member of node.members) {
    const value = constantOf(context, member);
    if (value === undefined) return undefined;
    entries.set((member.name as ts.Identifier).text, value);
  }
  return entries;
}

/**
 * Supports some calls: descriptions are often lines joined by `join`, and lists are often `Object.keys` or
 * `Object.values` of an object.
 */
function staticCall(context: AdoptContext, { node, bound }: Followed): Static | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression, name } = node.expression;
  const [first] = node.arguments;
  const target = expression.getText() === "Object" ? first : expression;
  const value = target && (staticValue(context, { node: target, bound })?.value ?? enumOf(context, target));
  if (value === undefined || value === null) return undefined;
  const separator = first === undefined ? "," : staticText(context, first, bound);
  if (name.text === "join" && Array.isArray(value) && separator !== undefined) return { value: value.join(separator) };
  if (name.text === "trim" && typeof value === "string") return { value: value.trim() };
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  if (name.text === "keys") return { value: Object.keys(value) };
  return name.text === "values" ? { value: Object.values(value) as JsonLiteral[] } : undefined;
}

function enumOf(context: AdoptContext, node: ts.Expression): JsonLiteral | undefined {
  const declaration = ts.isIdentifier(node) ? declarationOf(context, node) : undefined;
  if (declaration === undefined || !ts.isEnumDeclaration(declaration)) return undefined;
  const entries = enumEntries(context, declaration);
  return entries && Object.fromEntries(entries);
}
