import type { CodeEntry } from "./code-entry.ts";
import { type ConfigurationCode, configurationCodes } from "./configuration-codes.ts";
import { type KeptCode, keptCodes } from "./kept-codes.ts";
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
      "`@limit 1 per request.account` counts the jobs of each account separately. The key after `per` is a field of " +
      "the request, `caller` (the subject of the caller's token) or `caller.client`. The build checks that the field " +
      "exists, so that renaming a field cannot switch the limit off without notice. The field in `@priority 30s when " +
      "request.urgent` is checked in the same way.",
  },
  TN135: {
    level: "error",
    title: "Key of a limit is not one value",
    explain:
      "The key of a limit must be one value that every call has: text, a number, a boolean, a date, a URL, a " +
      "`bigint` or `null`. An object or a list has more than one value, and an optional field may have none. Take a " +
      "field of the object, or make the field required.",
  },
  TN136: {
    level: "error",
    title: "Limits of a tool differ",
    explain:
      "A job waits in one queue, by one key. So `@limit`, `@rate` and `@debounce` of a tool must have the same " +
      "`per`, or none of them has one. What happens to jobs beyond them must be the same as well: they wait, or they " +
      "are refused. With `@debounce` they always wait. To limit by two keys, write two tools, of which one calls the " +
      "other ([limits](limits.md)).",
  },
  TN137: {
    level: "error",
    title: "Priority would have no effect",
    explain:
      "A head start changes the order only among the jobs of one tool, since each tool has a queue and slots of its " +
      "own. So it must apply to some calls and not to others: `@priority 30s when request.urgent` applies to calls " +
      'whose field is `true`, and `@priority 5m when request.plan "enterprise"` to calls whose field has this value. ' +
      "The field must be able to have the value, since the condition would never be met otherwise " +
      "([limits](limits.md#jobs-that-come-first)).",
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
      "Model providers accept property names of 1 to 64 letters, digits, `_`, `.` and `-`. If a name breaks this " +
      "rule, they refuse the whole request. Rename the property.",
  },
  TN502: {
    level: "warning",
    title: "Request contains itself",
    explain:
      "The schema of a type that contains itself needs a `$ref`, and some hosts refuse a tool that has one. Replace " +
      "the nesting by a list whose items name their parent, or accept that these hosts leave the tool out. Types " +
      "that do not contain themselves rarely need a `$ref`: they are written out wherever they are used.",
  },
  TN503: {
    level: "warning",
    title: "Keys have a pattern",
    explain:
      "Keys of a given form, such as those that begin with `data-`, become `patternProperties` in the schema, which " +
      "few hosts support. So MCP clients get another schema if all values have the same type: it allows keys of any " +
      "name, and the tool ignores keys that do not have the form. Otherwise the schema keeps `patternProperties`, as " +
      "the service definition and OpenAPI always do. Describe the keys in the text of the field, or use an array of " +
      "`{ key, value }`.",
  },
  TN504: {
    level: "warning",
    title: "Schema is large",
    explain:
      "A schema of more than 100 kB, as MCP clients get it, fills the context of a model, and hosts refuse it. The " +
      "cause is often a union of thousands of texts, or a type from a package of which only a few fields are needed. " +
      "The same warning reports a tool whose entry in `tools/list`, with its texts and its icon, has more than 256 " +
      "kB, or whose generated code has more than 2 MB. Use a simpler type: `string` instead of the union, or a type " +
      "with only the fields that are needed. Parts that occur several times in a large schema are already written " +
      "only once, as `$defs`. This warning comes at the end of the build; as soon as 10,000 parts of a tool's types " +
      "have been read, a line names the field with most of them.",
  },
};

export type { CodeEntry };

/** Every code that a diagnostic can carry. */
export type Code =
  | ReadCode
  | KeptCode
  | LimitCode
  | RuleCode
  | TypeCode
  | ConfigurationCode
  | PortabilityCode
  | TextCode;

/** The table of all codes, by code; `docs/diagnostics.md` is made from it. */
export const codes = inOrder({
  ...readCodes,
  ...keptCodes,
  ...limitCodes,
  ...ruleCodes,
  ...typeCodes,
  ...configurationCodes,
  ...portabilityCodes,
  ...textCodes,
});

function inOrder(table: Record<Code, CodeEntry>): Readonly<Record<Code, CodeEntry>> {
  const sorted = Object.entries(table).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted) as Record<Code, CodeEntry>;
}
