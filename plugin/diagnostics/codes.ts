import type { CodeEntry } from "./code-entry.ts";
import { type ConfigurationCode, configurationCodes } from "./configuration-codes.ts";
import { type ReadCode, readCodes } from "./read-codes.ts";
import { type RuleCode, ruleCodes } from "./rule-codes.ts";
import { type TextCode, textCodes } from "./text-codes.ts";
import { type TypeCode, typeCodes } from "./type-codes.ts";

type LimitCode = "TN134" | "TN135" | "TN136" | "TN137";

/** Codes 1xx: limits and head starts of tools. */
const limitCodes: Readonly<Record<LimitCode, CodeEntry>> = {
  TN134: {
    level: "error",
    title: "Field of a limit is not known",
    explain:
      "`@limit 1 per request.account` counts the jobs of each account apart. The path is checked against the type of the request, so that a " +
      "field that is renamed cannot switch the limit off. A key is a field of the request, `caller` (its subject) or `caller.client`. " +
      "The field of `@priority 30s when request.urgent` is checked in the same way.",
  },
  TN135: {
    level: "error",
    title: "Key of a limit is not one value",
    explain:
      "A key is text, a number or a boolean that every call has. Objects and lists have no single value, and calls without an optional field " +
      "would have no limit, or share one. Take a field of the object, or make the field required.",
  },
  TN136: {
    level: "error",
    title: "Limits of a tool differ",
    explain:
      "A job waits in one queue, by one key: `@limit`, `@rate` and `@debounce` of a tool have the same `per` or none, and a job beyond them waits " +
      "or is refused for all. Two keys are two tools, of which one calls the other ([limits](limits.md)).",
  },
  TN137: {
    level: "error",
    title: "Priority would have no effect",
    explain:
      "Each tool has a queue and slots of its own, so a head start counts only among its calls: some have it, the others do not. " +
      '`@priority 30s when request.urgent` gives it to calls whose field is true, `@priority 5m when request.plan "enterprise"` to those with this ' +
      "value. The value is checked against the type of the field, so that no condition is always false ([limits](limits.md#jobs-that-come-first)).",
  },
};

/** Codes about what some MCP hosts refuse. */
type PortabilityCode = "TN501" | "TN502" | "TN503" | "TN504";

/** Codes 5xx: arguments of tools that some hosts refuse. */
const portabilityCodes: Readonly<Record<PortabilityCode, CodeEntry>> = {
  TN501: {
    level: "warning",
    title: "Property name is refused by hosts",
    explain:
      "Model providers accept property names of 1 to 64 letters, digits, `_`, `.` and `-`, and refuse the whole request otherwise.",
  },
  TN502: {
    level: "warning",
    title: "Request contains itself",
    explain:
      "Its schema needs a `$ref`, and some hosts refuse a tool that has one. All other named types are inlined for them.",
  },
  TN503: {
    level: "warning",
    title: "Keys have a pattern",
    explain:
      "Few hosts support `patternProperties`, which the service definition and OpenAPI use. If all values are of one type, hosts see that keys of any name have it, and the tool " +
      "ignores keys that do not match; otherwise the keyword stays.",
  },
  TN504: {
    level: "warning",
    title: "Schema is large",
    explain:
      "A schema of more than 100 kB, as MCP clients get it, fills what a model can read, and hosts refuse it. It often comes from a union of thousands of texts, or from a package's type of which a few fields are needed. The same is said of a tool whose entry in `tools/list` has more than 256 kB with its texts and its icon, or whose generated code has more than 2 MB. Parts that occur several times in a large schema are written once, as `$defs`. When 10,000 parts of a tool's types have been read, a line says so at once, and names the field with most of them: the warning comes at the end of the build.",
  },
};

export type { CodeEntry };

/** Every code that a diagnostic can carry. */
export type Code = ReadCode | LimitCode | RuleCode | TypeCode | ConfigurationCode | PortabilityCode | TextCode;

/** The table of all codes, by code; `docs/diagnostics.md` is made from it. */
export const codes: Readonly<Record<Code, CodeEntry>> = {
  ...readCodes,
  ...limitCodes,
  ...ruleCodes,
  ...typeCodes,
  ...configurationCodes,
  ...portabilityCodes,
  ...textCodes,
};
