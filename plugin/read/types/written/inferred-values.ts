import { ts } from "ts-morph";
import type { TypeContext } from "../../base/type-context.ts";
import { splitUndefined } from "./split-undefined.ts";
import { meetValue } from "./written-tags.ts";
import { declaredType, promised, returnedValues } from "./written-values.ts";

/**
 * Records the constraint tags of values whose type the compiler infers, so that they are reported. An inferred type no
 * longer has the aliases with the tags, so these do not reach the schema.
 */
export function meetInferred(context: TypeContext, value: ts.Expression, type: ts.Type): void {
  const { checker } = context.reading;
  const wanted = scalarsOf(checker, type);
  if (wanted.size === 0) return;
  for (const source of sourcesOf(context, value)) {
    const declared = declaredType(context, source, 0);
    if (declared === undefined) continue;
    const node = promised(declared.node);
    const given = scalarsOf(checker, checker.getTypeFromTypeNode(node));
    if ([...given].some((one) => wanted.has(one))) meetValue(context, source, node);
  }
}

const scalar = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike;

/** Collects the texts and numbers in a type or in the type of its items. */
function scalarsOf(checker: ts.TypeChecker, whole: ts.Type): ReadonlySet<ts.Type> {
  const type = splitUndefined(whole).type ?? whole;
  const item = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined;
  if (item !== undefined) return scalarsOf(checker, item);
  return new Set((type.isUnion() ? type.types : [type]).filter(({ flags }) => (flags & scalar) !== 0));
}

const choosing: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
]);

/**
 * Lists the values that an expression passes on: both branches of a conditional, items of a list, results of a
 * callback.
 */
function sourcesOf(context: TypeContext, value: ts.Expression): readonly ts.Expression[] {
  const inside = (one: ts.Expression): readonly ts.Expression[] => sourcesOf(context, one);
  if (ts.isConditionalExpression(value)) return [...inside(value.whenTrue), ...inside(value.whenFalse)];
  if (ts.isBinaryExpression(value))
    return choosing.has(value.operatorToken.kind) ? [...inside(value.left), ...inside(value.right)] : [];
  if (ts.isArrayLiteralExpression(value)) return value.elements.flatMap(inside);
  if (
    ts.isSpreadElement(value) ||
    ts.isAwaitExpression(value) ||
    ts.isParenthesizedExpression(value) ||
    ts.isNonNullExpression(value) ||
    ts.isSatisfiesExpression(value)
  )
    return inside(value.expression);
  if (ts.isIdentifier(value)) {
    // A constant without a type has the type of its initial value.
    const declaration = context.reading.checker.getSymbolAtLocation(value)?.valueDeclaration;
    const constant = declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration : undefined;
    const { initializer } = constant ?? {};
    return constant?.type === undefined && initializer !== undefined ? inside(initializer) : [value];
  }
  if (!ts.isCallExpression(value)) return [value];
  if (declaredType(context, value, 0) !== undefined && !isGeneric(context, value)) return [value];
  const callbacks = value.arguments.filter(isFunction);
  const returned = callbacks.flatMap(returnedValues).flatMap(inside);
  const { expression } = value;
  const receiver = returned.length === 0 && ts.isPropertyAccessExpression(expression) ? [expression.expression] : [];
  return [...returned, ...receiver.flatMap(inside), ...value.arguments.filter((one) => !isFunction(one))];
}

function isFunction(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** True for a call of a function whose result type depends on its arguments. */
function isGeneric(context: TypeContext, call: ts.CallExpression): boolean {
  const { checker } = context.reading;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  const declared = declaration?.type;
  if (declared === undefined || !ts.isTypeNode(declared)) return false;
  return checker.getTypeFromTypeNode(declared) !== checker.getTypeAtLocation(call);
}
