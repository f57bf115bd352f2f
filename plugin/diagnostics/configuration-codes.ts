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
      "The arguments of `new Service({…})` go into the service definition at build time, so they must be constants.",
  },
  TN402: {
    level: "error",
    title: "Service has an invalid field",
    explain:
      "`Service` takes `name`, `version`, `description`, `instructions`, `contact: { name, email, url }` and `license: { name, url }`, as objects or by `new ServiceContact({…})` and `new ServiceLicense({…})`.",
  },
  TN403: {
    level: "error",
    title: "Option is not a literal",
    explain:
      "`name`, `path`, `tags`, `coerce`, `strict` and `text` of a tool change the generated code, so they must be literals.",
  },
  TN404: {
    level: "error",
    title: "Rule does not exist",
    explain: "The `rules` option names an unknown rule, or a level other than `error`, `warn` and `off`.",
  },
  TN405: {
    level: "error",
    title: "tsconfig cannot be read",
    explain: "The file does not exist or is not JSON with comments.",
  },
  TN406: {
    level: "error",
    title: "More than one service",
    explain:
      "A bundle is one service with one entry, and a service definition is that of one entry: construct `Service` once, and build each entry on its own. The definition of another entry than the project's own (`entry` of the options, else `src/service.ts`) has the entry's name in its own: `service.worker.json` for `src/worker.ts`. Where a package has several entries and none of these, say which one `service.json` belongs to, with `entry`, or give each build its path with `service`.",
  },
  TN407: {
    level: "error",
    title: "Resources file is malformed",
    explain:
      "`resources.json` beside package.json has the resources of the service: `limits` and `requests`, each with `cpu` and `memory`. A value that is missing on one side is that of the other, and a request is at most its limit.",
  },
  TN408: {
    level: "error",
    title: "Service without tools",
    explain:
      'The entry constructs a `Service`, and no module that it imports has a tool; exported functions of these modules are named, since a comment may only lack `@tool`. A tool is found only through the imports of the entry, which may have no binding: `import "./my-tool.js";`.',
  },
  TN409: {
    level: "error",
    title: "Path used twice",
    explain:
      "Each tool has its own REST path: the one of `@path`, else `/tool` for the only tool and `/tool/<name>` for one of several.",
  },
  TN410: {
    level: "warning",
    title: "Tool is not imported",
    rule: "unreached-tool",
    explain:
      'A file of the service\'s package holds a tool, and no import of the entry leads to it, so that the service does not have it. Write `import "./my-tool.js";` in the file that makes the `Service`. Test files, and packages with more than one service, are left alone.',
  },
  TN412: {
    level: "warning",
    title: "Path has moved",
    explain:
      "The only tool of a service answers on `/tool` and on `/tool/<name>`, one of several on `/tool/<name>` alone. The committed definition says that this one was the only tool, so its callers may use `/tool`. `@path /tool` keeps both paths.",
  },
  TN413: {
    level: "error",
    title: "Compiled before tenon read it",
    explain:
      'A bundler hands each file through its plugins in their order, and another one has taken the types away before tenon could read them. Put `tenon()` before the plugin that compiles TypeScript. A plugin that does so from its `load` hook, or a loader with `enforce: "pre"`, always comes first: leave it out for the files with tools. tenon needs none with esbuild, Vite, rolldown, Rollup and Rspack.',
  },
  TN414: {
    level: "error",
    title: "Skill cannot be served",
    explain:
      "`skills/<name>/SKILL.md` beside the entry is served to agents, which refuse what breaks the rules of the format: a front matter in YAML with a `name`, the name of the folder (lower-case letters, digits and single hyphens, 64 at most), and a `description` of at most 1024 characters; at most 512 files and 16 MiB. [Skills](skills.md) tells more.",
  },
  TN415: {
    level: "warning",
    title: "Worker is not known",
    explain:
      "A batch service runs one tool, and its definition is that of this tool: the one that the second argument of `startBatchService` names. Another expression is known only when the service runs, so that the definition has all tools.",
  },
  TN416: {
    level: "warning",
    title: "Tool in JavaScript",
    rule: "unreached-tool",
    explain:
      "A tool is read from the types of its TypeScript. A module that reaches the build as JavaScript is bundled, and its tools are not served: it is written in JavaScript, or it is the output of a compiler that a workspace package leads to. Within a workspace let the package lead to its sources, as [monorepos](monorepos.md) shows.",
  },
  TN417: {
    level: "warning",
    title: "Instructions are too long",
    rule: "text-too-long",
    explain:
      "MCP hosts give the `instructions` of a service to a model beside the names of its tools, and cut them at 2,048 bytes. Say what the service is for and when to use which tool; what a tool does is said by its own text.",
  },
};
