/** The wire form of a TypeScript type. Plain data: it can be printed as JSON and compared. */

/** A type without values: the key of a field must be missing (`name?: never`), or an object allows no other keys. */
export interface NeverType {
  readonly kind: "never";
}
export interface UnknownType {
  readonly kind: "unknown";
}
export interface BooleanType {
  readonly kind: "boolean";
}
/** One value; `null` is a literal, an enum is a union of literals. */
export interface LiteralType {
  readonly kind: "literal";
  readonly value: string | number | boolean | null;
}
export type StringFormat =
  | "byte"
  | "password"
  | "regex"
  | "uuid"
  | "email"
  | "hostname"
  | "idn-email"
  | "idn-hostname"
  | "iri"
  | "iri-reference"
  | "ipv4"
  | "ipv6"
  | "uri"
  | "uri-reference"
  | "uri-template"
  | "url"
  | "date-time"
  | "date"
  | "time"
  | "duration"
  | "json-pointer"
  | "relative-json-pointer";
export interface StringType {
  readonly kind: "string";
  /** Minimum length in Unicode code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** ECMAScript regular expressions (flag `u`) that must all match somewhere. */
  readonly patterns?: readonly string[];
  readonly format?: StringFormat;
}
/** The text of a template literal type as an anchored regular expression. */
export interface TemplateType {
  readonly kind: "template";
  readonly pattern: string;
  /** As the author wrote it, for example `` `id-${number}` ``. */
  readonly text: string;
}
/** Integer types. `integer`: any integer inside ±(2^53 − 1); the sized types have their own bounds. */
export type IntegerType = "integer" | "int32" | "uint32" | "int64" | "uint64";
export interface NumberType {
  readonly kind: "number";
  readonly integer?: IntegerType;
  /** Values of a 32-bit float only. */
  readonly float?: true;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}
export interface ArrayType {
  readonly kind: "array";
  readonly items: TypeModel;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
}
export interface TupleElement {
  readonly type: TypeModel;
  readonly optional?: true;
  readonly name?: string;
}
export interface TupleType {
  readonly kind: "tuple";
  readonly elements: readonly TupleElement[];
  readonly rest?: TypeModel;
}
/**
 * Reference to a named type in the tool's `definitions`: an interface, class or alias of an object, or anything
 * recursive.
 */
export interface RefType {
  readonly kind: "ref";
  readonly name: string;
}
/** Keys of one form, such as those of `Record<`data-${string}`, T>`, and the type of their values. */
export interface KeyPattern {
  /** Anchored regular expression, which begins with `^`. */
  readonly pattern: string;
  /** The type of the keys as the author wrote it, for example `` `data-${string}` `` or `number`. */
  readonly text: string;
  readonly type: TypeModel;
}
/**
 * Texts about a type or a field, which affect neither its legal values nor their conversion. They come from the alias
 * by which a type is used, or from a comment before it.
 */
export interface TypeTexts {
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: true | string;
  readonly examples?: readonly JsonLiteral[];
}
export interface ObjectType extends TypeTexts {
  readonly kind: "object";
  readonly fields: readonly FieldModel[];
  /** Types of keys that are not fields. The value of a key must be legal for each pattern that matches the key. */
  readonly patterns?: readonly KeyPattern[];
  /** Type of all other keys (index signature, `Record<string, T>`); absent: other keys are ignored. */
  readonly index?: TypeModel;
  /** Schema URN: `$schema` is optional on input and the first key on output. */
  readonly urn?: string;
  /** True if the TypeScript type itself has a `$schema` property, so that decoded values have it as well. */
  readonly urnDeclared?: true;
}
export interface UnionType {
  readonly kind: "union";
  readonly members: readonly TypeModel[];
  /** Key of a field that is a different literal in every member. */
  readonly discriminator?: string;
}
/** A type whose wire form differs from its value. The schema describes the wire form. */
export interface CodecType {
  readonly kind: "date" | "url" | "bytes";
  /** `bytes` only: the author's type is `Buffer`. */
  readonly buffer?: true;
}
/** An integer of any size. On the wire, the integer and its inclusive bounds are strings of digits. */
export interface BigIntType {
  readonly kind: "bigint";
  readonly minimum?: string;
  readonly maximum?: string;
}
export interface SetType {
  readonly kind: "set";
  readonly items: TypeModel;
  readonly minItems?: number;
  readonly maxItems?: number;
}
export interface MapType {
  readonly kind: "map";
  readonly values: TypeModel;
}

export type TypeModel = (
  | UnknownType
  | NeverType
  | BooleanType
  | LiteralType
  | StringType
  | TemplateType
  | NumberType
  | ArrayType
  | TupleType
  | RefType
  | ObjectType
  | UnionType
  | CodecType
  | BigIntType
  | SetType
  | MapType
) &
  TypeTexts;

export interface FieldTexts extends TypeTexts {
  /** Name of the HTTP header that mirrors the field on MCP (`@header`). */
  readonly header?: string;
  readonly at?: Position;
}
export interface FieldModel extends FieldTexts {
  /** The key on the wire, never `$schema`. */
  readonly key: string;
  readonly type: TypeModel;
  /** The key may be missing: `?`, a union with `undefined`, or a default. */
  readonly optional?: true;
  /** Wire value that replaces a missing key. */
  readonly default?: JsonLiteral;
}

export type JsonLiteral =
  | null
  | boolean
  | number
  | string
  | readonly JsonLiteral[]
  | { readonly [key: string]: JsonLiteral };

/** A place in a source file; `file` is relative to the project with forward slashes, line and column count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Length of the marked text in UTF-16 units. */
  readonly length: number;
}
