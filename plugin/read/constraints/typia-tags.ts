import { ts } from "ts-morph";
import type { JsonLiteral } from "../../model/type.ts";
import { parseConstraint } from "./parse-constraint.ts";
import type { Constraint } from "./constraints.ts";

/** A default or an example that a typia tag gives. */
export interface ValueTag {
  readonly kind: "default" | "example";
  readonly value: JsonLiteral;
}

/** Meaning of a typia tag: a constraint, a value, a mistake, or a feature that only typia supports. */
export type TypiaTag =
  | ValueTag
  | { readonly kind: "constraint"; readonly constraint: Constraint }
  | { readonly kind: "bad"; readonly text: string; readonly problem: string }
  | { readonly kind: "foreign"; readonly text: string; readonly checks: boolean };

const phantom = "typia.tag";

/** Reads typia's phantom property from a part of an intersection, such as `tags.Minimum<1>`. */
export function typiaTag(checker: ts.TypeChecker, type: ts.Type): TypiaTag | undefined {
  const property = type.getProperty(phantom);
  if (property === undefined) return undefined;
  const props = withoutUndefined(checker.getTypeOfSymbol(property));
  const kind = literal(checker, props, "kind");
  const value = literal(checker, props, "value");
  const foreign = (): TypiaTag => ({ kind: "foreign", text: String(kind ?? "tag"), checks: checks(checker, props) });
  if (typeof kind !== "string" || value === undefined) return foreign();
  if (kind === "default" || kind === "example") return { kind, value };
  if (kind === "uniqueItems" && value !== true) return undefined;
  const parsed = parseConstraint(kind, String(value));
  if (parsed === undefined) return foreign();
  return typeof parsed === "string"
    ? { kind: "bad", text: `${kind} ${String(value)}`, problem: parsed }
    : { kind: "constraint", constraint: parsed };
}

/** True when a tag has an expression that typia would run on values. */
function checks(checker: ts.TypeChecker, props: ts.Type): boolean {
  const property = props.getProperty("validate");
  const empty = ts.TypeFlags.Undefined | ts.TypeFlags.Never | ts.TypeFlags.Unknown | ts.TypeFlags.Any;
  return property !== undefined && (withoutUndefined(checker.getTypeOfSymbol(property)).flags & empty) === 0;
}

/** Returns the tags of a whole type: those of an intersection itself, and those of a union's members. */
export function typiaTags(checker: ts.TypeChecker, type: ts.Type): readonly TypiaTag[] {
  if (type.isUnion()) return type.types.flatMap((member) => typiaTags(checker, member));
  if (!type.isIntersection()) return [];
  return type.types.map((member) => typiaTag(checker, member)).filter((tag) => tag !== undefined);
}

function literal(checker: ts.TypeChecker, type: ts.Type, name: string): string | number | boolean | undefined {
  const property = type.getProperty(name);
  if (property === undefined) return undefined;
  const value = withoutUndefined(checker.getTypeOfSymbol(property));
  if (value.isStringLiteral() || value.isNumberLiteral()) return value.value;
  if (value.flags & ts.TypeFlags.BooleanLiteral)
    return (value as unknown as { intrinsicName: string }).intrinsicName === "true";
  if (value.flags & ts.TypeFlags.BigIntLiteral) {
    const { negative, base10Value } = (value as ts.BigIntLiteralType).value;
    // The bigint stays a text, since a number could not hold all its digits.
    return `${negative ? "-" : ""}${base10Value}`;
  }
  return undefined;
}

function withoutUndefined(type: ts.Type): ts.Type {
  return type.isUnion() ? (type.types.find((member) => (member.flags & ts.TypeFlags.Undefined) === 0) ?? type) : type;
}
