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
  | "TN319";

/** Types that have no wire form, and tags that do not fit: 3xx. */
export const typeCodes: Readonly<Record<TypeCode, CodeEntry>> = {
  TN301: {
    level: "error",
    title: "JSON cannot carry this type",
    explain:
      "Requests and results travel as JSON. Dates, URLs, bigints, bytes, sets and maps are converted; functions, symbols, regular " +
      "expressions and other objects of the run time are not, nor are members that stand beside a text, a list or a converted type. " +
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
      "`never` has no value and `undefined` none in JSON: a field may be missing (`?`), a list item or a result may be `null`.",
  },
  TN305: {
    level: "error",
    title: "Union cannot be told apart",
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
      "Each level of the type makes a new one, so it has no schema. Let it refer to itself with the same type arguments.",
  },
  TN308: {
    level: "warning",
    title: "Type accepts everything",
    rule: "unknown-type",
    explain: "`unknown` and `any` accept every value, so neither callers nor the validator know what is meant.",
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
    explain: "The value is not of the form that the tag takes; the message says which.",
  },
  TN311: {
    level: "error",
    title: "Tags contradict one another",
    explain: "No value can satisfy all of the tags.",
  },
  TN312: {
    level: "error",
    title: "Value does not fit the type",
    explain: "A default or an example must be a legal value of its field, written as it stands on the wire.",
  },
  TN313: {
    level: "error",
    title: "Field name cannot be used",
    explain: "The key `__proto__` is refused in requests, because it can change the prototype of an object.",
  },
  TN314: {
    level: "error",
    title: "Type has a place of its own",
    explain: "`BinaryResult` is a whole result and `JobContext` a parameter; neither can be a part of data.",
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
    title: "Pattern could not be judged",
    rule: "unsafe-pattern",
    explain:
      "Whether some text makes the pattern slow could not be told. Patterns that look ahead or back, refer " +
      "to groups or use modifiers are hard to judge; most can be written as two patterns, or without.",
  },
  TN318: {
    level: "warning",
    title: "Initialiser does not run",
    explain:
      "A class that is used as data is read like an interface, and no constructor runs: callers send plain objects. A constant initialiser of a request's field is its default, as " +
      "`@default` would be; what must be computed the tool has to fill in itself, or callers have to send it.",
  },
  TN319: {
    level: "warning",
    title: "Methods are not in a request",
    explain:
      "A class that is used as data is read like an interface: callers send plain objects, which have its fields and none of its " +
      "methods and getters. A call of one type-checks in the tool and fails at run time. Write functions that take the data.",
  },
};
