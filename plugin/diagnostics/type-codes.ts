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
      "Requests and results are sent as JSON. Dates, URLs, bigints, bytes, sets and maps are converted. Functions, " +
      "symbols, regular expressions and other objects that exist only at run time are not, nor are properties that a " +
      "type adds to a string, a list or a converted type. Use the replacement that the message names, or mark the " +
      "field `@internal`, which leaves it out of the schema.",
  },
  TN302: {
    level: "error",
    title: "Type cannot be found",
    explain:
      "The type is not declared, or its module is not found with this tsconfig. Check the import, and that its " +
      "package is installed.",
  },
  TN304: {
    level: "error",
    title: "Type has no JSON value",
    explain:
      "No value has the type `never`, and JSON has no `undefined`. Make a field optional (`?`) instead; for a list " +
      "item or a result, use `null`.",
  },
  TN305: {
    level: "error",
    title: "Members of a union cannot be distinguished",
    explain:
      "In JSON, a `Date` is a string and a `Set` is a list. If two members of a union have the same form in JSON, a " +
      "value does not show which of the two it is. Use only one of the types, or objects with a literal field that " +
      "names the case.",
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
      "Each level of the type creates a new type, so its schema would have no end. Let the type refer to itself with " +
      "the same type arguments.",
  },
  TN308: {
    level: "warning",
    title: "Type accepts everything",
    rule: "unknown-type",
    explain:
      "`unknown` and `any` accept every value, so neither callers nor the validator know which values are intended. " +
      "Write the intended type.",
  },
  TN309: {
    level: "error",
    title: "Tag does not fit the type",
    explain:
      "The tag is for another type of value: for example, `@minimum` is for numbers and `@minLength` for strings. Or " +
      "the type is a literal that the tag forbids; a literal that the tag allows is fine. Remove the tag, or change " +
      "the type.",
  },
  TN310: {
    level: "error",
    title: "Tag on a field has a bad value",
    explain: "The value is not valid for the tag; the message says which form it needs.",
  },
  TN311: {
    level: "error",
    title: "Tags contradict one another",
    explain: "No value can satisfy all of these tags at once. Change or remove one of them.",
  },
  TN312: {
    level: "error",
    title: "Value does not fit the type",
    explain:
      "A default or an example must be a value that its field accepts, written as JSON in the form that callers send.",
  },
  TN313: {
    level: "error",
    title: "Field name is not valid",
    explain:
      "The key `__proto__` is refused in requests, because it can change the prototype of an object. Choose another " +
      "name.",
  },
  TN314: {
    level: "error",
    title: "Type is not allowed here",
    explain:
      "A `BinaryResult` can only be a whole result, and a `JobContext` only a parameter. Neither can be a part of a " +
      "request or result model.",
  },
  TN315: {
    level: "error",
    title: "Request is not one object",
    explain:
      "Callers pass arguments by name, so a request must be one object. Put the union into a field of that object.",
  },
  TN316: {
    level: "error",
    title: "Pattern can be made slow",
    rule: "unsafe-pattern",
    explain:
      "A regular expression that can match a text in many ways tries all of them before it gives up. A caller who " +
      "sends such a text blocks the whole service. For a pattern with exponential time 40 characters are enough, for " +
      "one with polynomial time some kilobytes. Repeated parts that follow or contain one another must not match the " +
      "same text: write `^a+$` instead of `^(a+)+$`. Begin the pattern with `^`. Limit the length as well, with " +
      "`@maxLength`: it is checked before the pattern, and makes polynomial time harmless.",
  },
  TN317: {
    level: "warning",
    title: "Pattern could not be checked",
    rule: "unsafe-pattern",
    explain:
      "The check could not decide if some text makes the pattern slow. Patterns with lookahead, lookbehind, " +
      "references to groups, or modifiers are hard to check. Most of them can be written without these, or as two " +
      "patterns.",
  },
  TN318: {
    level: "warning",
    title: "Initialiser does not run",
    explain:
      "A class that is used as data is read like an interface. Callers send plain objects, so its constructor and " +
      "its initialisers do not run. In a request, a constant initialiser becomes the default of the field, as with " +
      "`@default`. If the value has to be computed, let callers send it, or make the field optional and let the tool " +
      "fill it in.",
  },
  TN319: {
    level: "warning",
    title: "Methods are not in a request",
    explain:
      "A class that is used as data is read like an interface. Callers send plain objects, which have the fields of " +
      "the class, but not its methods and getters. If the tool calls such a method, that passes the type check and " +
      "fails at run time. Write functions that take the data.",
  },
  TN320: {
    level: "warning",
    title: "Part of a package's union is left out",
    explain:
      "A type from a package is a union of data and of objects that exist only at run time, such as functions or " +
      "elements of a web page. Callers can send only data, so the schema has only those members of the union. In a " +
      "result, such a type is an error. To avoid the warning, write a type of your own with the fields that callers " +
      "send, or remove the field with `Omit`.",
  },
  TN321: {
    level: "error",
    title: "Type is too large",
    explain:
      "The types of a tool may have at most 500,000 parts, where each member of a union counts as one, and may be " +
      "nested some hundred levels deep. A type that refers to all other types of its package has more parts, and no " +
      "model could read its schema. Write a type of your own with the fields that callers send, or `Pick` them. Or " +
      "take a text, and check the value in the tool.",
  },
};
