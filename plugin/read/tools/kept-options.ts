import { ts } from "ts-morph";
import type { JsonLiteral } from "../../model/type.ts";
import { initializerOf, propertyKey, readProperty } from "../base/constants.ts";
import { UnresolvedInLean, type Reading } from "../base/reading.ts";
import { isError } from "../types/check-names.ts";

/** The answer for an option that depends on the run, or that code which is not read decides. */
export const varies: unique symbol = Symbol("varies");

/** The property that gives an option, or the type of the option if only its type is known; undefined without it. */
type Found = ts.ObjectLiteralElementLike | ts.Type | typeof varies | undefined;

/** Reads an option that is a constant, or whose type is one text. */
export function constantOption(
  reading: Reading,
  options: ts.Expression | undefined,
  name: string,
): JsonLiteral | undefined | typeof varies {
  const found = findOption(reading, options, name);
  if (found === undefined || found === varies) return found;
  const constant = isNode(found) ? readProperty(found, reading) : undefined;
  if (constant?.ok === true) return constant.value;
  const type = optionType(reading, found);
  if ((type.flags & ts.TypeFlags.Undefined) !== 0) return undefined;
  return type.isStringLiteral() ? type.value : varies;
}

/** True if a call has an option, at least in some runs. */
export function hasOption(reading: Reading, options: ts.Expression | undefined, name: string): boolean {
  return findOption(reading, options, name) !== undefined;
}

/** True if a call has an option in some runs only, since the option may be `undefined`. */
export function isSometimes(reading: Reading, options: ts.Expression | undefined, name: string): boolean {
  const found = findOption(reading, options, name);
  if (found === undefined || found === varies) return found === varies;
  const type = optionType(reading, found);
  return (type.isUnion() ? type.types : [type]).some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0);
}

/** Finds an option in an object, in the objects that are spread into it, and in a constant that holds it. */
function findOption(reading: Reading, options: ts.Expression | undefined, name: string, depth = 0): Found {
  if (options === undefined) return undefined;
  const literal = depth > 20 ? options : heldBy(reading, options);
  if (!ts.isObjectLiteralExpression(literal)) return memberOf(reading, options, name);
  for (const property of literal.properties.toReversed()) {
    const isSpread = ts.isSpreadAssignment(property);
    const found = isSpread ? findOption(reading, property.expression, name, depth + 1) : named(property, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function named(property: ts.ObjectLiteralElementLike, name: string): Found {
  const key = propertyKey(property);
  return key === undefined ? varies : key === name ? property : undefined;
}

/** Returns the object that an expression is, or that the constant which it names was declared with. */
function heldBy(reading: Reading, options: ts.Expression): ts.Expression {
  const node = unwrap(options);
  if (!ts.isIdentifier(node)) return node;
  const initializer = initializerOf(reading, reading.checker.getSymbolAtLocation(node));
  return initializer === undefined ? node : unwrap(initializer);
}

function unwrap(node: ts.Expression): ts.Expression {
  const isOuter = ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return isOuter ? unwrap(node.expression) : node;
}

/** Finds an option by the type of an expression. */
function memberOf(reading: Reading, options: ts.Expression, name: string): Found {
  const { checker } = reading;
  const type = typeOf(reading, options);
  if ((type.flags & ts.TypeFlags.Any) !== 0) return varies;
  const parts = type.isUnion() ? type.types : [type];
  const members = parts.map((part) => checker.getPropertyOfType(checker.getApparentType(part), name));
  if (members.every((member) => member === undefined))
    return parts.some((part) => checker.getIndexInfoOfType(part, ts.IndexKind.String)) ? varies : undefined;
  const [first, ...others] = members;
  const isOne = first !== undefined && others.length === 0 && (first.flags & ts.SymbolFlags.Optional) === 0;
  return isOne ? checker.getTypeOfSymbol(first) : varies;
}

function optionType(reading: Reading, found: ts.ObjectLiteralElementLike | ts.Type): ts.Type {
  if (!isNode(found)) return found;
  return typeOf(reading, ts.isPropertyAssignment(found) ? found.initializer : (found.name ?? found));
}

function typeOf(reading: Reading, node: ts.Node): ts.Type {
  const type = reading.checker.getTypeAtLocation(node);
  if (isError(type) && reading.canRetry) throw new UnresolvedInLean();
  reading.inferred = true;
  return type;
}

function isNode(found: ts.ObjectLiteralElementLike | ts.Type): found is ts.ObjectLiteralElementLike {
  return "kind" in found;
}
