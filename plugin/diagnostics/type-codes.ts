import type { CodeEntry } from "./code-entry.ts";

/** Codes about types and about tags that narrow them. */
export type TypeCode =
  | "TN301"
  | "TN302"
  | "TN304"
  | "TN305"
  | "TN306"
  | "TN307"
  | "TN308"
  | "TN309"
  | "TN310"
  | "TN311"
  | "TN312"
  | "TN313"
  | "TN314"
  | "TN315"
  | "TN316"
  | "TN317"
  | "TN318"
  | "TN319"
  | "TN320"
  | "TN321";

/** Codes 3xx: types without a wire form, and tags that do not fit their type. */
export const typeCodes: Readonly<Record<TypeCode, CodeEntry>> = {
  TN301: {
    level: "error",
    title: "JSON cannot carry this type",
    explain:
      "Requests and results travel as JSON. Dates, URLs, bigints, bytes, sets and maps are converted; functions, symbols, regular " +
      "expressions and other runtime objects are not, nor are members added to a text, a list or a converted type. " +
      "Use the replacement that the message names, or mark the field `@internal`.",
  },
  TN302: {
    level: "error",
    title: "Type cannot be found",
    explain: "The name is not declared, or its module cannot be resolved with this tsconfig.",
  },
  TN304: {
    level: "error",
    title: "Type has no JSON value",
    explain:
      "`never` has no value, and `undefined` has none in JSON: a field may be missing (`?`), a list item or a result may be `null`.",
  },
  TN305: {
    level: "error",
    title: "Members of a union cannot be distinguished",
    explain:
      "On the wire, a `Date` is a string and a `Set` a list. A union of such a type with another of the same wire form cannot be " +
      "read back. Use objects with a literal field that names the case, or only one of the types.",
  },
  TN306: {
    level: "error",
    title: "Map has keys that are not strings",
    explain: "The keys of a JSON object are strings. Use `Map<string, T>`, or an array of `{ key, value }`.",
  },
  TN307: {
    level: "error",
    title: "Type expands without end",
    explain:
      "Each level of the type creates a new type, so it has no schema. Let the type refer to itself with the same type arguments.",
  },
  TN308: {
    level: "warning",
    title: "Type accepts everything",
    rule: "unknown-type",
    explain: "`unknown` and `any` accept every value, so neither callers nor the validator know the intended value.",
  },
  TN309: {
    level: "error",
    title: "Tag does not fit the type",
    explain:
      "The tag narrows another type of value: for example, `@minimum` belongs to numbers and `@minLength` to strings. Or the type is " +
      "a literal that the tag forbids; literals that it allows are fine.",
  },
  TN310: {
    level: "error",
    title: "Tag on a field has a bad value",
    explain: "The value is not valid for the tag; the message says which form it needs.",
  },
  TN311: {
    level: "error",
    title: "Tags contradict one another",
    explain: "No value can satisfy all of the tags.",
  },
  TN312: {
    level: "error",
    title: "Value does not fit the type",
    explain: "A default or an example must be a legal value of its field, in its wire form.",
  },
  TN313: {
    level: "error",
    title: "Field name is not valid",
    explain: "The key `__proto__` is refused in requests, because it can change the prototype of an object.",
  },
  TN314: {
    level: "error",
    title: "Type is not allowed here",
    explain:
      "`BinaryResult` is a whole result and `JobContext` a parameter; neither can be part of a request or result model.",
  },
  TN315: {
    level: "error",
    title: "Request is not one object",
    explain: "Arguments are named, so a request is one object. Put the union into a field.",
  },
  TN316: {
    level: "error",
    title: "Pattern can be made slow",
    rule: "unsafe-pattern",
    explain:
      "A regular expression that can match one text in many ways tries them all before it gives up. A caller who sends such a " +
      "text keeps the whole service busy: for an exponential pattern 40 characters are enough, for a polynomial one some " +
      "kilobytes. Let no two repeated parts that follow or contain one another match the same text (`^(a+)+$` is `^a+$`), begin " +
      "with `^`, and limit the length: it is checked before the pattern, so that a polynomial one becomes harmless.",
  },
  TN317: {
    level: "warning",
    title: "Pattern could not be checked",
    rule: "unsafe-pattern",
    explain:
      "The check could not decide if some text makes the pattern slow. Patterns that look ahead or back, refer " +
      "to groups or use modifiers are hard to check; most can be written as two patterns, or without.",
  },
  TN318: {
    level: "warning",
    title: "Initialiser does not run",
    explain:
      "A class that is used as data is read like an interface, and no constructor runs: callers send plain objects. A constant initialiser of a request's field is its default, as " +
      "with `@default`. A computed value must be filled in by the tool, or sent by callers.",
  },
  TN319: {
    level: "warning",
    title: "Methods are not in a request",
    explain:
      "A class that is used as data is read like an interface: callers send plain objects, which have its fields and none of its " +
      "methods and getters. A call of one type-checks in the tool and fails at run time. Write functions that take the data.",
  },
  TN320: {
    level: "warning",
    title: "Part of a package's union is left out",
    explain:
      "A type that a package declares lets a value be data, or an object of the run time such as a function or an element of a " +
      "page. Callers send data, so the schema has the other members alone. In a result the same type is an error.",
  },
  TN321: {
    level: "error",
    title: "Type is too large",
    explain:
      "The types of a tool have at most 500,000 parts, each member of a union one, and nest some hundred deep. A package's type that reaches " +
      "all others of its package has more, and no model can read its schema. Take a type of your own with the fields that " +
      "callers send, or `Pick` them, or take a text and check the value in the tool.",
  },
};
