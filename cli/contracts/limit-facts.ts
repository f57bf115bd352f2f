import type {
  DebounceDefinition,
  LimitDefinition,
  PriorityDefinition,
  RateDefinition,
} from "../../runtime/contract/contract.ts";
import type { ContractTool } from "./contract.ts";
import type { FactChange } from "./finding.ts";

const seconds = { s: 1, min: 60, h: 3600, day: 86_400 } as const;

/**
 * Changes of `@limit`, `@rate`, `@debounce` and `@priority`: calls succeed as before, but may wait, be repeated, or
 * share a job.
 */
export function compareLimits(before: ContractTool, after: ContractTool): readonly FactChange[] {
  return [
    ...ceiling("limit", before.limit, after.limit, textOfLimit, ({ jobs }) => jobs),
    ...ceiling("rate", before.rate, after.rate, textOfRate, ({ starts, each }) => starts / seconds[each]),
    ...debounces(before.debounce, after.debounce),
    ...priorities(before.priorities, after.priorities),
  ];
}

/** Compares a limit or a rate with its earlier version. The larger its `amount`, the more jobs may run. */
function ceiling<T extends LimitDefinition | RateDefinition>(
  name: "limit" | "rate",
  before: T | undefined,
  after: T | undefined,
  textOf: (one: T) => string,
  amount: (one: T) => number,
): readonly FactChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [was, is] = [before, after].map((one) => (one === undefined ? "none" : textOf(one)));
  const message = `the ${name} of jobs went from ${was} to ${is}`;
  if (after === undefined) return [{ severity: "additive", rule: `${name}-removed`, message }];
  if (after.beyond === "refuse" && before?.beyond !== "refuse")
    return [
      { severity: "behaviour", rule: `${name}-refuses`, message: `${message}; calls beyond it are refused with 429` },
    ];
  const isLooser = before !== undefined && before.per === after.per && before.beyond === after.beyond;
  if (isLooser && amount(after) > amount(before)) return [{ severity: "additive", rule: `${name}-raised`, message }];
  const rule = before === undefined ? "added" : isLooser && amount(after) < amount(before) ? "lowered" : "changed";
  return [{ severity: "behaviour", rule: `${name}-${rule}`, message }];
}

function debounces(
  before: DebounceDefinition | undefined,
  after: DebounceDefinition | undefined,
): readonly FactChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (after === undefined)
    return [{ severity: "behaviour", rule: "debounce-removed", message: "each call has a job of its own" }];
  const time = `${after.seconds} s${after.most === undefined ? "" : `, ${after.most} s at most`}`;
  const message = `calls${perOf(after)} within ${time} share one job, which gets the last request`;
  return [{ severity: "behaviour", rule: before === undefined ? "debounce-added" : "debounce-changed", message }];
}

function priorities(
  before: readonly PriorityDefinition[] = [],
  after: readonly PriorityDefinition[] = [],
): readonly FactChange[] {
  const [was, is] = [before, after].map((all) => all.map(textOfPriority).toSorted().join(", "));
  if (was === is) return [];
  const rule = `priority-${before.length === 0 ? "added" : after.length === 0 ? "removed" : "changed"}`;
  const message =
    after.length === 0
      ? "jobs start in the order of their calls"
      : `jobs have a head start of ${is}; others wait longer`;
  return [{ severity: "behaviour", rule, message }];
}

function textOfPriority({ seconds, when, is }: PriorityDefinition): string {
  return `${seconds} s when ${when} is ${JSON.stringify(is)}`;
}

function textOfLimit(limit: LimitDefinition): string {
  return `${limit.jobs} at a time${perOf(limit)}${beyondOf(limit)}`;
}

function textOfRate(rate: RateDefinition): string {
  return `${rate.starts}/${rate.each}${perOf(rate)}, ${rate.burst} at once${beyondOf(rate)}`;
}

function perOf({ per }: { readonly per?: string }): string {
  return per === undefined ? "" : ` per ${per}`;
}

function beyondOf({ beyond }: { readonly beyond: LimitDefinition["beyond"] }): string {
  return beyond === "wait" ? "" : ` (${beyond})`;
}
