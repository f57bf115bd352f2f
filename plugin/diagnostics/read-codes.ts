import type { CodeEntry } from "./code-entry.ts";

/** Codes of the stage that reads source files. */
export type ReadCode =
  | "TN101"
  | "TN102"
  | "TN103"
  | "TN104"
  | "TN105"
  | "TN106"
  | "TN107"
  | "TN108"
  | "TN109"
  | "TN110"
  | "TN111"
  | "TN112"
  | "TN113"
  | "TN114"
  | "TN115"
  | "TN116"
  | "TN117"
  | "TN118"
  | "TN119"
  | "TN120"
  | "TN121"
  | "TN129"
  | "TN130"
  | "TN131";

/** Codes 1xx: findings of reading a module. */
export const readCodes: Readonly<Record<ReadCode, CodeEntry>> = {
  TN101: {
    level: "error",
    title: "Syntax error",
    explain: "The file is not valid TypeScript, so no tool can be read from it. Fix the syntax at the marked place.",
  },
  TN102: {
    level: "error",
    title: "Tool is not exported",
    explain: "A tool is an exported function: the export makes it part of the service. Write `export` before it.",
  },
  TN103: {
    level: "error",
    title: "`@tool` is not on a function",
    explain:
      "`@tool` marks a function at the top level of a module: a declaration, or a `const` that holds a function. On " +
      "a class, a method, a nested function or a value it has no effect. Mark an exported function instead.",
  },
  TN104: {
    level: "error",
    title: "Tool has overloads",
    explain:
      "Schema and validator of a tool are generated from its signature, so it can have only one. Keep one signature, " +
      "or export a separate tool for each overload.",
  },
  TN105: {
    level: "error",
    title: "Tool is generic",
    explain:
      "The types of a tool must be known at build time. Replace the type parameter with the types that callers send.",
  },
  TN106: {
    level: "error",
    title: "Tool has no name",
    explain:
      "The generated code refers to a tool by the name of its function, which an anonymous default export does not " +
      "have. Give the function a name, or assign it to an exported `const`.",
  },
  TN107: {
    level: "error",
    title: "Tool can be reassigned",
    explain:
      "A tool is registered once, when its module is loaded. If the variable gets another function later, the " +
      "service still calls the first one. Declare the tool with `const`.",
  },
  TN108: {
    level: "error",
    title: "Tag has a bad value",
    explain: "The value of a tag on a tool is not valid for the tag; the message says which form it needs.",
  },
  TN109: {
    level: "warning",
    title: "Tag is not known",
    rule: "unknown-tag",
    explain:
      "The tag has no effect, because it is not a tag of tenon, and not one of TSDoc, JSDoc, TypeDoc or API " +
      "Extractor either. It may be misspelt (tags are case-sensitive), or another library's name for a tag of tenon: " +
      "`@min` of class-validator is `@minimum` here. A tag and its value need a space between them. Decorators of " +
      "validation libraries are not run, so write the corresponding tag in the comment of the field. To use such a " +
      "word in a text, write `\\@word`, or put it between backticks.",
  },
  TN110: {
    level: "warning",
    title: "Tag has no effect here",
    explain:
      "The tag is known, but it has no effect in this place. Tags that narrow a value, such as `@minimum`, belong on " +
      "fields and types; most other tags belong on tools. This warning also reports a tag that does not get into the " +
      "schema, for example because the type with the tag is only used to compute another type. Move the tag to the " +
      "field, or to the type that the field has in the end.",
  },
  TN111: {
    level: "error",
    title: "Text has hidden characters",
    explain:
      "Descriptions are read by language models. Characters that people cannot see (bidirectional controls, " +
      "zero-width and tag characters) can carry instructions that no reviewer notices. Remove them.",
  },
  TN112: {
    level: "error",
    title: "Tool name is not valid",
    explain:
      "A tool's name has 1 to 64 characters of `A-Z a-z 0-9 _ . -` and is unique. Use `@name` to choose another one.",
  },
  TN113: {
    level: "error",
    title: "Example is not valid",
    explain:
      "An `@example` on a tool is a request as JSON, or a call with constant arguments. The tool must accept it.",
  },
  TN114: {
    level: "error",
    title: "Parameter is not valid",
    explain:
      "A tool takes one request object, or positional parameters with data, each of which has a name. In addition, " +
      "it may take one `JobContext`. It is called without `this`.",
  },
  TN115: {
    level: "error",
    title: "Tool is a generator",
    explain:
      "A tool returns one result. Report progress with `job.report`, and return the whole result, or a " +
      "`BinaryResult` with a stream.",
  },
  TN116: {
    level: "error",
    title: "Imports or types nest too deep",
    explain:
      "The compiler's stack overflowed, because a chain of imports is too long, or a type has hundreds of nested " +
      "levels. Break the chain, for example with a barrel file, or replace parts of the type by named types.",
  },
  TN117: {
    level: "warning",
    title: "`@param` names no parameter",
    explain:
      "The tool has no parameter or field of this name, so the text would be lost. Use the name of a parameter, or " +
      "the path of a field such as `request.name`.",
  },
  TN118: {
    level: "error",
    title: "File cannot be read",
    explain: "The file does not exist, or may not be read.",
  },
  TN119: {
    level: "error",
    title: "Prompt or resource does not fit MCP",
    explain:
      "MCP passes the arguments of a prompt as text, and those of a resource as parts of its address. So each " +
      "argument must be a single value: text, a number, a boolean, a date, or a union of such values. A prompt must return " +
      "text, `Content`, `Message`, or a list of these; a resource must return text, data, bytes or a `BinaryResult`.",
  },
  TN120: {
    level: "error",
    title: "Question needs an answer that no form supports",
    explain:
      "`job.ask<T>(…)` shows the user a form that is generated from `T`. Forms of MCP are flat, and have only these " +
      "fields: text (also a URL, an e-mail address or a date), numbers with bounds, yes or no, a choice of one text, " +
      "and a choice of several texts. If you need anything else, ask for its parts.",
  },
  TN121: {
    level: "error",
    title: "View cannot be built",
    explain:
      "`@view` names a file that is made into one HTML document, which hosts show without network access. So all " +
      "scripts, styles, pictures and packages that the file refers to are bundled, and the document may have at most " +
      "4 MB. The file must not load anything from another origin, or use modules of Node. It may import tools only " +
      "by `import type`.",
  },
  TN129: {
    level: "error",
    title: "Ask is not valid",
    explain:
      "`@ask` has two parts: what a user might say, in quotes, and the request that a model should make for it, as " +
      'JSON, or `none` if the model should not call a tool. An example is `@ask "Is 997 a prime number?" {"number": ' +
      "997}`. The request is validated like that of a caller. `tenon eval` gives these sentences to a model " +
      "([eval](eval.md)).",
  },
  TN130: {
    level: "error",
    title: "Schedule is not valid",
    explain:
      "`@schedule` begins with a cron expression in quotes. After it, a time zone, the request of its jobs as JSON, " +
      'and options may follow: `@schedule "0 3 * * 1-5" Europe/Zurich {"account": "house"} overlap=queue`. The ' +
      "request is validated like that of a caller ([schedules](schedules.md)).",
  },
  TN131: {
    level: "error",
    title: "Schedule never fires",
    explain: "The cron expression names a date that does not exist, such as 30 February. Correct the day or the month.",
  },
};
