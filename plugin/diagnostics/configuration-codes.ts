import type { CodeEntry } from "./code-entry.ts";

/** Codes about configuration: `new Service`, `platformLambda`, the plugin's options, tsconfig. */
export type ConfigurationCode =
  | "TN401"
  | "TN402"
  | "TN403"
  | "TN404"
  | "TN405"
  | "TN406"
  | "TN407"
  | "TN408"
  | "TN409"
  | "TN410"
  | "TN412"
  | "TN413"
  | "TN414"
  | "TN415"
  | "TN416"
  | "TN417";

/** Codes 4xx: the service, a tool's options, the plugin's options. */
export const configurationCodes: Readonly<Record<ConfigurationCode, CodeEntry>> = {
  TN401: {
    level: "error",
    title: "Service is not constant",
    explain:
      "The arguments of `new Service({…})` go into the service definition at build time, so they must be constants: " +
      "literals, or `const`s that hold literals. Only `onStart` and `onStop` are functions.",
  },
  TN402: {
    level: "error",
    title: "Service has an invalid field",
    explain:
      "`Service` takes `name` (required), `version`, `description`, `instructions`, `contact: { name, email, url }` " +
      "and `license: { name, url }`, and the functions `onStart` and `onStop`. `contact` and `license` may also be " +
      "written as `new ServiceContact({…})` and `new ServiceLicense({…})`.",
  },
  TN403: {
    level: "error",
    title: "Option is not a literal",
    explain:
      "`name`, `path`, `tags`, `coerce`, `strict` and `text` of a tool change the generated code, so the build must " +
      "be able to read them. Write them as literals.",
  },
  TN404: {
    level: "error",
    title: "Rule does not exist",
    explain: "The option `rules` has a rule that does not exist, or a level other than `error`, `warn` and `off`.",
  },
  TN405: {
    level: "error",
    title: "tsconfig cannot be read",
    explain:
      "The file does not exist, or is not valid JSON with comments. Correct it, or name another file with the option " +
      "`tsconfig`.",
  },
  TN406: {
    level: "error",
    title: "More than one service",
    explain:
      "A build makes one service from one entry, and each service has its own service definition. So construct " +
      "`Service` only once, and build each entry separately. `service.json` belongs to the main entry of the " +
      "project: the one in the option `entry`, or else `src/service.ts`. The definition of any other entry has the " +
      "name of that entry in its file name: `service.worker.json` for `src/worker.ts`. If a package has several " +
      "entries and no main entry, set `entry`, or give each build its own path with the option `service`.",
  },
  TN407: {
    level: "error",
    title: "Resources file is malformed",
    explain:
      "The file `resources.json` beside package.json describes the resources of the service: an object with `limits` " +
      "and `requests`, each with `cpu`, `memory` and `ephemeral-storage`. If `cpu` or `memory` is missing in one of " +
      "them, the value of the other is used. A request must not be greater than its limit.",
  },
  TN408: {
    level: "error",
    title: "Service without tools",
    explain:
      "The entry constructs a `Service`, but no module that it imports contains a tool. Tools are found only through " +
      'the imports of the entry, so import the module of each tool, for example by `import "./my-tool.js";`. If the ' +
      "imported modules export functions without `@tool`, the message lists them, since the tag may have been " +
      "forgotten.",
  },
  TN409: {
    level: "error",
    title: "Path used twice",
    explain:
      "Each tool needs its own REST path. It is the path in `@path`, if there is one; otherwise it is `/tool` for " +
      "the only tool of a service, and `/tool/<name>` if there are several. Give one of the two tools another path " +
      "with `@path`.",
  },
  TN410: {
    level: "warning",
    title: "Tool is not imported",
    rule: "unreached-tool",
    explain:
      "A file in the package of the service contains a tool, but the entry does not import the file, directly or " +
      'through other modules. So the service does not have the tool. Write `import "./my-tool.js";` in the file that ' +
      "constructs the `Service`. Test files are not reported, nor are packages with more than one service.",
  },
  TN412: {
    level: "warning",
    title: "Path has moved",
    explain:
      "The only tool of a service answers on both `/tool` and `/tool/<name>`. If there are several tools, each " +
      "answers only on `/tool/<name>`. According to the committed definition, this tool was the only one until now, " +
      "so callers may use `/tool`. With `@path /tool`, it still answers on both paths.",
  },
  TN413: {
    level: "error",
    title: "Compiled before tenon read it",
    explain:
      "A bundler passes each file through its plugins in order, and another plugin removed the types before tenon " +
      "could read them. Put `tenon()` before the plugin that compiles TypeScript. A plugin that compiles in its " +
      '`load` hook, or a loader with `enforce: "pre"`, always comes first: do not use it for files with tools. With ' +
      "esbuild, Vite, rolldown, Rollup and Rspack, no such plugin is needed.",
  },
  TN414: {
    level: "error",
    title: "Skill cannot be served",
    explain:
      "The service offers each `skills/<name>/SKILL.md` beside its entry to agents, which refuse a skill that breaks " +
      "the rules of the format. The file must begin with a front matter in YAML, which has a `name` and a " +
      "`description`. The `name` must be the name of the folder: lower-case letters, digits and single hyphens, at " +
      "most 64 characters. The `description` has at most 1024 characters. A skill has at most 512 files and 16 MiB, " +
      "and contains no links. For more see [skills](skills.md).",
  },
  TN415: {
    level: "warning",
    title: "Worker is not known",
    explain:
      "A batch service runs one tool, the second argument of `startBatchService`, and its definition should describe " +
      "only this tool. Here the argument is an expression whose value is known only at run time, so the definition " +
      "has all tools. Pass the function of the tool by its name.",
  },
  TN416: {
    level: "warning",
    title: "Tool in JavaScript",
    rule: "unreached-tool",
    explain:
      "Tools are read from the types in TypeScript. This module reaches the build as JavaScript, so it is bundled, " +
      "but its tools are not served. If you have written it in JavaScript, change it to TypeScript. If it is " +
      "compiled code of a package in your workspace, let the package lead to its sources within the workspace, as " +
      "[monorepos](monorepos.md) shows.",
  },
  TN417: {
    level: "warning",
    title: "Instructions are too long",
    rule: "text-too-long",
    explain:
      "MCP hosts show a model the `instructions` of a service together with the names of its tools, and cut them " +
      "after 2,048 bytes. Say what the service is for and when to use which tool. What a tool does belongs in the " +
      "text of the tool.",
  },
};
