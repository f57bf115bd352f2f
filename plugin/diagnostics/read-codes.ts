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
  | "TN122"
  | "TN123"
  | "TN124"
  | "TN125"
  | "TN126"
  | "TN127"
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
      "`@tool` marks a function at the top level of a module: a declaration, or a `const` that holds a function. On a class, " +
      "a method, a nested function or a value it has no effect. Move the code into an exported function and mark that.",
  },
  TN104: {
    level: "error",
    title: "Tool has overloads",
    explain:
      "A tool has one signature, from which schema and validator are made. Keep one, or export one tool for each.",
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
      "An anonymous default export cannot be named by generated code. Give the function a name, or assign it to an exported `const`.",
  },
  TN107: {
    level: "error",
    title: "Tool can be reassigned",
    explain:
      "A tool is registered once. After a reassignment the service would still call the old function: use `const`.",
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
      "The tag is neither one of ours nor one of TSDoc, JSDoc, TypeDoc or API Extractor, so it has no effect. It may be misspelt (tags are " +
      "case-sensitive), or another library's name for one of ours: `@min` of class-validator is `@minimum`. Decorators of such a library on a field check nothing. A word that is not a tag is written " +
      "as `\\@word` or between backticks.",
  },
  TN110: {
    level: "warning",
    title: "Tag has no effect here",
    explain:
      "The tag exists, but does not belong here: tags that narrow a value belong to fields and types, the others to tools. No tag is " +
      "passed over: one that does not come into the schema, for example since another type is computed from its own, is named.",
  },
  TN111: {
    level: "error",
    title: "Text has hidden characters",
    explain:
      "Descriptions are read by language models. Characters that people cannot see (bidirectional controls, zero-width and " +
      "tag characters) can carry instructions that no reviewer notices, so they are refused. Remove them.",
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
      "An `@example` of a tool is a request as JSON (or a call with constant arguments), and must be a legal request.",
  },
  TN114: {
    level: "error",
    title: "Parameter is not valid",
    explain: "A tool takes one request object, or positional data, and at most one `JobContext`.",
  },
  TN115: {
    level: "error",
    title: "Tool is a generator",
    explain:
      "A tool returns one result. Report progress with `job.report`, and return the whole result, or a `BinaryResult` with a stream.",
  },
  TN116: {
    level: "error",
    title: "Imports or types nest too deep",
    explain:
      "The compiler's stack overflowed, since the chain of imports is too long, or a type is written in hundreds of levels. Break the chain, for example with a barrel file, or give parts of the type names of their own.",
  },
  TN117: {
    level: "warning",
    title: "`@param` names no parameter",
    explain: "The text would be lost. Use the parameter's own name.",
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
      "Arguments of a prompt are text, and those of a resource are parts of its address. A prompt returns text, `Content` or " +
      "`Message`; a resource returns text, data or bytes.",
  },
  TN120: {
    level: "error",
    title: "Question needs an answer that no form supports",
    explain:
      "`job.ask<T>(…)` shows the user a form that is made from `T`. Forms of MCP are flat: text (also an address, a mail address, a date), " +
      "numbers with bounds, yes or no, one of several texts, or some of them. Ask for anything else in parts.",
  },
  TN121: {
    level: "error",
    title: "View cannot be built",
    explain:
      "The file of `@view` becomes one HTML document, which hosts show without a network. Everything that it names is bundled: scripts, styles, " +
      "pictures, packages. It may load nothing from another origin, use no module of Node, import tools by `import type` only, and have at most 4 MB.",
  },
  TN122: {
    level: "error",
    title: "Step has no fixed name",
    explain:
      "The result of a step is kept under its name, and a later attempt, or a later build, finds it by that name. So the name " +
      "is a part of the contract and stands in the code as a text. What varies is the `key` in the options.",
  },
  TN123: {
    level: "error",
    title: "Two steps have one name",
    explain:
      "One of them would find the result of the other. Give each a name of its own, or one name and several keys.",
  },
  TN124: {
    level: "error",
    title: "Step in a loop has no key",
    explain:
      "Every turn of the loop asks for the same name, and the second would find the result of the first. Give the step a `key` " +
      "that tells the turns apart and does not depend on their order, such as the id of an item.",
  },
  TN125: {
    level: "error",
    title: "Result of a step is not data",
    explain:
      "The result of a step is written to a store and read back, in the first attempt as well. Functions, methods, symbols, streams " +
      "and values without a type do not come back as what they were. Return data, such as an id, and make the object outside of the step.",
  },
  TN126: {
    level: "error",
    title: "Step changes a variable outside of it",
    explain:
      "An attempt that finds the result of a step does not run its function, so that a change within it is missing then. Return the value, " +
      "and change the variable with the result.",
  },
  TN127: {
    level: "error",
    title: "Long wait within a block that must end",
    explain:
      "A job that waits for more than a minute leaves its process, and another attempt goes on, perhaps in another process. The end of a block " +
      "around the wait (`finally`, `using`) does not run then. End the block before the wait.",
  },
  TN129: {
    level: "error",
    title: "Ask is not valid",
    explain:
      '`@ask` is a sentence of a user in quotes, and the request that a model should make of it, in its wire form, or `none`: `@ask "Is 997 a prime number?" {"number": 997}`. ' +
      "The request is checked as one of a caller is. `tenon eval` puts the sentences to a model ([eval](eval.md)).",
  },
  TN130: {
    level: "error",
    title: "Schedule is not valid",
    explain:
      '`@schedule` is a cron expression in quotes, and after it, where they are needed, a time zone, the request of its jobs as JSON, and options: `@schedule "0 3 * * 1-5" Europe/Zurich {"account": "house"} overlap=queue`. ' +
      "The request is checked as one of a caller is ([schedules](schedules.md)).",
  },
  TN131: {
    level: "error",
    title: "Schedule never fires",
    explain: "The cron expression fits no day that exists, such as a 30th of February.",
  },
};
