import type {
  ArrayType,
  BigIntType,
  IntegerType,
  LiteralType,
  NumberType,
  SetType,
  StringFormat,
  StringType,
  TypeModel,
} from "../../model/type.ts";
import { accepts } from "./accepts.ts";

/** A parsed tag that narrows a value. */
export type Constraint =
  | {
      readonly name: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf";
      readonly value: number;
      /** Number as it was written, since a bigint may have more digits than a number can hold. */
      readonly text: string;
    }
  | { readonly name: "minLength" | "maxLength" | "minItems" | "maxItems"; readonly value: number }
  | { readonly name: "pattern"; readonly value: string }
  | { readonly name: "format"; readonly value: StringFormat }
  | { readonly name: "type"; readonly value: IntegerType | "float" | "double" }
  | { readonly name: "uniqueItems"; readonly value: true };

/**
 * Narrows a type by a constraint; `undefined` when the constraint fits no part of the type. As in typia, constraints of
 * strings and numbers apply to the items of arrays, and constraints of arrays to the outermost array.
 */
export function constrain(type: TypeModel, constraint: Constraint): TypeModel | undefined {
  if (type.kind === "union") {
    const members = type.members.map((member) => constrain(member, constraint));
    if (members.every((member) => member === undefined)) return undefined;
    return { ...type, members: members.map((member, index) => member ?? (type.members[index] as TypeModel)) };
  }
  if (type.kind === "array" || type.kind === "set") {
    const own = constrainList(type, constraint);
    if (own !== undefined) return own;
    const items = constrain(type.items, constraint);
    return items === undefined ? undefined : { ...type, items };
  }
  if (type.kind === "number") return constrainNumber(type, constraint);
  if (type.kind === "string") return constrainString(type, constraint);
  if (type.kind === "bigint") return constrainBigInt(type, constraint);
  if (type.kind === "literal") return openForm(type, constraint) === undefined ? undefined : type;
  if (constraint.name === "format" && wireFormats[type.kind]?.includes(constraint.value) === true) return type;
  return undefined;
}

/**
 * Applies a constraint to the type of a literal (any text or number), to check the literal. `undefined` for constraints
 * of other types, and for formats, which literals are not checked for.
 */
function openForm({ value }: LiteralType, constraint: Constraint): TypeModel | undefined {
  if (typeof value === "number") return constrainNumber({ kind: "number" }, constraint);
  return typeof value === "string" && constraint.name !== "format"
    ? constrainString({ kind: "string" }, constraint)
    : undefined;
}

/** Finds the first literal of a type that violates a constraint which applies to it. */
export function misfit(type: TypeModel, constraint: Constraint): LiteralType | undefined {
  switch (type.kind) {
    case "union":
      return type.members.map((member) => misfit(member, constraint)).find((found) => found !== undefined);
    case "array":
    case "set":
      return misfit(type.items, constraint);
    case "literal": {
      const open = openForm(type, constraint);
      return open === undefined || accepts(open, type.value, new Map()) ? undefined : type;
    }
    default:
      return undefined;
  }
}

/** Formats that repeat the wire form of a converted type. */
const wireFormats: Readonly<Record<string, readonly string[]>> = {
  date: ["date-time"],
  url: ["uri", "url"],
  bytes: ["byte"],
};

function constrainList(type: ArrayType | SetType, constraint: Constraint): TypeModel | undefined {
  switch (constraint.name) {
    case "minItems":
      return { ...type, minItems: Math.max(type.minItems ?? 0, constraint.value) };
    case "maxItems":
      return { ...type, maxItems: Math.min(type.maxItems ?? Number.POSITIVE_INFINITY, constraint.value) };
    case "uniqueItems":
      return type.kind === "set" ? type : { ...type, uniqueItems: true };
    default:
      return undefined;
  }
}

function constrainNumber(type: NumberType, constraint: Constraint): TypeModel | undefined {
  switch (constraint.name) {
    case "minimum":
    case "exclusiveMinimum":
      return {
        ...type,
        [constraint.name]: Math.max(type[constraint.name] ?? Number.NEGATIVE_INFINITY, constraint.value),
      };
    case "maximum":
    case "exclusiveMaximum":
      return {
        ...type,
        [constraint.name]: Math.min(type[constraint.name] ?? Number.POSITIVE_INFINITY, constraint.value),
      };
    case "multipleOf":
      return { ...type, multipleOf: constraint.value };
    case "type":
      if (constraint.value === "double") return type;
      return constraint.value === "float" ? { ...type, float: true } : { ...type, integer: constraint.value };
    default:
      return undefined;
  }
}

function constrainString(type: StringType, constraint: Constraint): TypeModel | undefined {
  switch (constraint.name) {
    case "minLength":
      return { ...type, minLength: Math.max(type.minLength ?? 0, constraint.value) };
    case "maxLength":
      return { ...type, maxLength: Math.min(type.maxLength ?? Number.POSITIVE_INFINITY, constraint.value) };
    case "pattern":
      return type.patterns?.includes(constraint.value) === true
        ? type
        : { ...type, patterns: [...(type.patterns ?? []), constraint.value] };
    case "format":
      return { ...type, format: constraint.value };
    default:
      return undefined;
  }
}

const bigIntBounds = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
} as const;

/**
 * Narrows a bigint by bounds. Constraints that a pattern for digits cannot express, such as a multiple, do not apply.
 */
function constrainBigInt(type: BigIntType, constraint: Constraint): TypeModel | undefined {
  if (constraint.name === "type") {
    if (constraint.value === "integer") return type;
    if (!Object.hasOwn(bigIntBounds, constraint.value)) return undefined;
    const [low, high] = bigIntBounds[constraint.value as keyof typeof bigIntBounds];
    return within(type, low, high);
  }
  if (!("text" in constraint) || !/^[+-]?\d+$/.test(constraint.text)) return undefined;
  const bound = BigInt(constraint.text.replace(/^\+/, ""));
  switch (constraint.name) {
    case "minimum":
      return within(type, bound, undefined);
    case "exclusiveMinimum":
      return within(type, bound + 1n, undefined);
    case "maximum":
      return within(type, undefined, bound);
    case "exclusiveMaximum":
      return within(type, undefined, bound - 1n);
    default:
      return bound === 1n ? type : undefined;
  }
}

function within(type: BigIntType, low: bigint | undefined, high: bigint | undefined): BigIntType {
  const minimum = larger(type.minimum, low, 1n);
  const maximum = larger(type.maximum, high, -1n);
  return { ...type, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}

/** Returns the narrower of two bounds. `sign`: 1 for lower bounds, -1 for upper ones. */
function larger(known: string | undefined, other: bigint | undefined, sign: bigint): string | undefined {
  if (other === undefined) return known;
  return known === undefined || other * sign > BigInt(known) * sign ? String(other) : known;
}

/** The kind of value that a constraint narrows, for a message. */
export function targetOf(constraint: Constraint): string {
  switch (constraint.name) {
    case "minLength":
    case "maxLength":
    case "pattern":
    case "format":
      return "strings";
    case "minItems":
    case "maxItems":
    case "uniqueItems":
      return "arrays";
    default:
      return "numbers";
  }
}
