/** What one diagnostic code means; `docs/diagnostics.md` is made from these entries. */
export interface CodeEntry {
  readonly level: "error" | "warning";
  /** A few words, for a heading. */
  readonly title: string;
  /** Why it matters and what to do, as Markdown. */
  readonly explain: string;
  /** Name under which `rules` changes the level; only findings that have one can be changed. */
  readonly rule?: string;
}

/** Codes of the stage that reads source files. */
export type ReadCode =
  | "TN101" | "TN102" | "TN103" | "TN104" | "TN105" | "TN106" | "TN107" | "TN108" | "TN109" | "TN110" | "TN111"
  | "TN112" | "TN113" | "TN114" | "TN115" | "TN116" | "TN117" | "TN118";
/** Codes of the rules for tool authors. */
export type RuleCode = "TN201" | "TN202" | "TN203" | "TN204" | "TN205" | "TN206" | "TN207" | "TN208";
/** Codes about types and about tags that narrow them. */
export type TypeCode =
  | "TN301" | "TN302" | "TN303" | "TN304" | "TN305" | "TN306" | "TN307" | "TN308" | "TN309" | "TN310" | "TN311"
  | "TN312" | "TN313" | "TN314" | "TN315";
/** Codes about configuration: `new Service`, `platformLambda`, the plugin's options, tsconfig. */
export type ConfigurationCode = "TN401" | "TN402" | "TN403" | "TN404" | "TN405" | "TN406" | "TN407";

/** Every code that a diagnostic of the reader can carry. */
export type Code = ReadCode | RuleCode | TypeCode | ConfigurationCode;

const read: Readonly<Record<ReadCode, CodeEntry>> = {
  TN101: {
    level: "error",
    title: "Syntax error",
    explain: "The file is not valid TypeScript, so no tool can be read from it. Fix the syntax at the marked place.",
  },
  TN102: {
    level: "error",
    title: "Tool is not exported",
    explain: "A tool is an exported function: the export is what makes it part of the service. Write `export` in front of it.",
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
    explain: "A tool has one signature, from which schema and validator are made. Keep one, or export one tool for each.",
  },
  TN105: {
    level: "error",
    title: "Tool is generic",
    explain: "The types of a tool must be known at build time. Replace the type parameter with the types that callers send.",
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
    explain: "A tool is registered once. A variable that can change would serve a function that the module no longer means: use `const`.",
  },
  TN108: {
    level: "error",
    title: "Tag has a bad value",
    explain: "The value of a tag on a tool is not of the form that the tag takes; the message says which.",
  },
  TN109: {
    level: "warning",
    title: "Tag may be misspelt",
    explain: "TSDoc ignores tags that it does not know, so a misspelt one silently does nothing. Tags are case-sensitive.",
  },
  TN110: {
    level: "warning",
    title: "Tag has no meaning here",
    explain: "The tag exists, but not for this place: tags that narrow a value belong to fields, the others to tools.",
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
    title: "Tool name cannot be used",
    explain: "A tool's name has 1 to 64 characters of `A-Z a-z 0-9 _ . -` and is unique. Use `@name` to choose another one.",
  },
  TN113: {
    level: "error",
    title: "Example cannot be used",
    explain: "An `@example` of a tool is a request as JSON (or a call with constant arguments), and must be a legal request.",
  },
  TN114: {
    level: "error",
    title: "Parameter cannot be used",
    explain: "A tool takes one request object, or positional data, and at most one `JobContext`.",
  },
  TN115: {
    level: "error",
    title: "Tool is a generator",
    explain: "A tool gives one result. Report progress with `job.report`, and return the whole result, or a `BinaryResult` with a stream.",
  },
  TN116: {
    level: "error",
    title: "Imports nest too deep",
    explain: "The chain of imports is so long that the compiler's stack overflowed. Break the chain, for example with a barrel file.",
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
};

const rules: Readonly<Record<RuleCode, CodeEntry>> = {
  TN201: {
    level: "error",
    title: "Model has no schema URN",
    rule: "missing-schema",
    explain:
      "Request and result models that are objects carry a schema URN, so that callers know which version they talk to. " +
      'Paste the printed line. `rules: { "missing-schema": "warn" }` (or `"off"`) derives the URN from the package name instead.',
  },
  TN202: {
    level: "error",
    title: "Tool has no text",
    rule: "missing-text",
    explain: "Agents choose a tool by its description. Write a sentence that says what it does, above its tags.",
  },
  TN203: {
    level: "warning",
    title: "Field has no text",
    rule: "missing-field-text",
    explain: "Agents fill a request by the descriptions of its fields. Write a TSDoc comment above the field, or a `@param`.",
  },
  TN204: {
    level: "warning",
    title: "Tool changes module state",
    rule: "module-state",
    explain: "Jobs run at the same time in one process, so what one writes to a module's variable another reads. Keep it in the function.",
  },
  TN205: {
    level: "warning",
    title: "Field looks like a local path",
    rule: "local-path",
    explain:
      "A caller's files are not on this machine. Take an `ArtifactUrn` and open it with `job.platform.getArtifact(urn)`.",
  },
  TN206: {
    level: "warning",
    title: "Logger made before `loggingInit()`",
    rule: "early-logger",
    explain: "A logger keeps the settings of the moment when it was made. Call `loggingInit()` first.",
  },
  TN207: {
    level: "error",
    title: "Schema URN is malformed",
    explain: "A schema URN has the form `urn:<namespace>:<name>`, for example `urn:example:schema.is-prime.request.1`.",
  },
  TN208: {
    level: "error",
    title: "Schema URN is not unique",
    explain: "One URN names one model, and a model has one URN.",
  },
};

const types: Readonly<Record<TypeCode, CodeEntry>> = {
  TN301: {
    level: "error",
    title: "JSON cannot carry this type",
    explain:
      "Requests and results travel as JSON. Dates, URLs, bigints, bytes, sets and maps are converted; functions, symbols, regular " +
      "expressions and other objects of the run time are not. Use the replacement that the message names, or mark the field `@internal`.",
  },
  TN302: {
    level: "error",
    title: "Type cannot be found",
    explain: "The name is not declared, or its module cannot be resolved with this tsconfig.",
  },
  TN303: {
    level: "error",
    title: "Type is not resolved",
    explain: "A type parameter is left open, so its values are not known at build time. Give it an argument.",
  },
  TN304: {
    level: "error",
    title: "Type has no JSON value",
    explain: "`never` has no value and `undefined` none in JSON: a field may be missing (`?`), a list item or a result may be `null`.",
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
    explain: "Each level of the type makes a new one, so it has no schema. Let it refer to itself with the same type arguments.",
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
    explain: "The tag narrows another type of value: for example, `@minimum` belongs to numbers and `@minLength` to strings.",
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
};

const configuration: Readonly<Record<ConfigurationCode, CodeEntry>> = {
  TN401: {
    level: "error",
    title: "Service is not constant",
    explain: "What `new Service({…})` says goes into the service definition at build time, so it must be written as constants.",
  },
  TN402: {
    level: "error",
    title: "Service has a bad entry",
    explain: "`Service` takes `name`, `version`, `description`, `contact: { name, email, url }` and `license: { name, url }`.",
  },
  TN403: {
    level: "error",
    title: "Option is not a literal",
    explain: "`name`, `path`, `tags`, `coerce`, `strict` and `text` of a tool shape what is generated, so they must be literals.",
  },
  TN404: {
    level: "error",
    title: "Rule does not exist",
    explain: "The `rules` option names a rule that there is not, or a level other than `error`, `warn` and `off`.",
  },
  TN405: {
    level: "error",
    title: "tsconfig cannot be read",
    explain: "The file does not exist or is not JSON with comments.",
  },
  TN406: {
    level: "error",
    title: "More than one service",
    explain: "A bundle is one service: construct `Service` once.",
  },
  TN407: {
    level: "error",
    title: "Resources file is malformed",
    explain: "`resources.json` beside package.json says what the service asks of its cluster: `limits` and `requests`, each with `cpu` and `memory`.",
  },
};

/** The table of all codes, by code. */
export const codes: Readonly<Record<Code, CodeEntry>> = { ...read, ...rules, ...types, ...configuration };
