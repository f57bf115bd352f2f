import type { CodeEntry } from "./code-entry.ts";

/** Codes of the rules for tool authors. */
export type RuleCode = "TN201" | "TN202" | "TN203" | "TN204" | "TN205" | "TN206" | "TN207" | "TN208" | "TN209";

/** Codes 2xx: rules for tool authors. */
export const ruleCodes: Readonly<Record<RuleCode, CodeEntry>> = {
  TN201: {
    level: "error",
    title: "Model has no schema URN",
    rule: "missing-schema",
    explain:
      "Request and result models that are objects need a schema URN, so that callers know which version of the model " +
      "they use. Paste the line that the message shows, or run `tenon generate --fix`. With `rules: { " +
      '"missing-schema": "warn" }` (or `"off"`), the URN is derived from the package name instead. `tenon check` and ' +
      "`tenon generate` fail with this error. A build, `tenon dev` and `tenon call` only warn and derive the URN, so " +
      "that you can try a first tool at once.",
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
    explain:
      "Agents fill in a request by the descriptions of its fields. Write a TSDoc comment above the field, or a " +
      "`@param`.",
  },
  TN204: {
    level: "warning",
    title: "Tool changes module state",
    rule: "module-state",
    explain:
      "Jobs run at the same time in one process, so one job may read what another job has written to a variable of " +
      "the module. Keep the value in a variable of the function.",
  },
  TN205: {
    level: "warning",
    title: "Field looks like a local path",
    rule: "local-path",
    explain:
      "A caller's files are not on this machine. Take an `ArtifactUrn` and open it with " +
      "`job.platform.getArtifact(urn)`.",
  },
  TN206: {
    level: "warning",
    title: "Logger created before `loggingInit()`",
    rule: "early-logger",
    explain:
      "Records that are written before `loggingInit()` is called are filtered by `PLATFORM_LOG_LEVEL`, not by the " +
      "level that you pass to `loggingInit()`. If a module calls both, call `loggingInit()` before `getLogger`. " +
      "Loggers in other modules, which the entry imports, need no change.",
  },
  TN207: {
    level: "error",
    title: "Schema URN is malformed",
    explain: "A schema URN has the form `urn:<namespace>:<name>`, for example `urn:example:schema.is-prime.request.1`.",
  },
  TN208: {
    level: "error",
    title: "Schema URN is not unique",
    explain:
      "A schema URN identifies one model. Two models must not have the same URN, and a model must not have two URNs. " +
      "Instances of a generic type with different fields are different models.",
  },
  TN209: {
    level: "warning",
    title: "Effect beside the steps",
    rule: "effect-beside-steps",
    explain:
      "A function with steps runs again from its start after a crash or a long wait. Steps whose results are stored " +
      "are not repeated, but everything that the function awaits outside of steps is. Put the call into a step, or " +
      "turn the rule off if repeating it does no harm.",
  },
};
