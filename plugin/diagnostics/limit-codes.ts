import type { CodeEntry } from "./code-entry.ts";

export type LimitCode = "TN134" | "TN135" | "TN136" | "TN137";

/** Codes 1xx: limits and head starts of tools. */
export const limitCodes: Readonly<Record<LimitCode, CodeEntry>> = {
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
