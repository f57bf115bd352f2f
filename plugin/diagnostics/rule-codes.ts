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
      "Request and result models that are objects carry a schema URN, so that callers know which version they talk to. " +
      'Paste the printed line. `rules: { "missing-schema": "warn" }` (or `"off"`) derives the URN from the package name instead. ' +
      "`tenon check` and `tenon generate` end with this error; a build, `tenon dev` and `tenon call` warn and derive the URN, so that a first tool is served at once.",
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
      "Agents fill a request by the descriptions of its fields. Write a TSDoc comment above the field, or a `@param`.",
  },
  TN204: {
    level: "warning",
    title: "Tool changes module state",
    rule: "module-state",
    explain:
      "Jobs run at the same time in one process, so one job reads what another has written to a module's variable. Keep the value in the function.",
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
    title: "Logger created before `loggingInit()`",
    rule: "early-logger",
    explain:
      "A record that is written before `loggingInit()` has the level of `PLATFORM_LOG_LEVEL`, whatever that call says. Call it first where both stand in one module; loggers of modules that the entry imports lose nothing.",
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
  TN209: {
    level: "warning",
    title: "Effect beside the steps",
    rule: "effect-beside-steps",
    explain:
      "A function with steps runs again from its start after a crash or a long wait, and finds the results of its steps. What it awaits beside them " +
      "is done again each time. Put it into a step, or turn the rule off where a repetition does no harm.",
  },
};
