import { isObject } from "../../runtime/contract/validation/json-value.ts";
import type { Finding } from "./finding.ts";

/** A finding that is accepted for some time. */
export interface Exception {
  readonly tool: string;
  readonly rule: string;
  /** Place of the finding; if absent, any place. */
  readonly place?: string;
  readonly reason: string;
  /** Last day on which the exception is valid, such as `2026-12-31`. */
  readonly until: string;
}

/** A finding, with the effect of the exceptions on it. */
export interface JudgedFinding extends Finding {
  /** Reason why the finding is accepted. */
  readonly allowed?: string;
  /** Day on which the exception for this finding expired. */
  readonly ended?: string;
}

const keys = ["tool", "rule", "place", "reason", "until"];
const needed = ["tool", "rule", "reason", "until"];
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the file of exceptions; returns an error text if it is invalid. */
export function parseExceptions(text: string): readonly Exception[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  const list = isObject(value) ? value["allow"] : undefined;
  if (!Array.isArray(list)) return "it needs the key `allow` with a list of exceptions";
  for (const [index, entry] of list.entries()) {
    const problem = problemOf(entry);
    if (problem !== undefined) return `exception ${index + 1} ${problem}`;
  }
  return list as readonly Exception[];
}

function problemOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return "is not an object";
  const missing = needed.find((key) => typeof entry[key] !== "string" || entry[key] === "");
  if (missing !== undefined) return `needs the text \`${missing}\``;
  const unknown = Object.keys(entry).find((key) => !keys.includes(key));
  if (unknown !== undefined) return `has the unknown key \`${unknown}\`; there are ${keys.join(", ")}`;
  const until = String(entry["until"]);
  return day.test(until) && !Number.isNaN(Date.parse(until)) ? undefined : "needs a day like 2026-12-31 as `until`";
}

/**
 * Applies exceptions to findings.
 *
 * @param today Such as `2026-11-22`.
 */
export function applyExceptions(
  found: readonly Finding[],
  exceptions: readonly Exception[],
  today: string,
): { readonly findings: readonly JudgedFinding[]; readonly unused: readonly Exception[] } {
  const used = new Set<Exception>();
  const findings = found.map((finding): JudgedFinding => {
    const all = exceptions.filter((exception) => matches(exception, finding));
    for (const exception of all) used.add(exception);
    const valid = all.find(({ until }) => until >= today);
    if (valid !== undefined) return { ...finding, allowed: valid.reason };
    const [ended] = all;
    return ended === undefined ? finding : { ...finding, ended: ended.until };
  });
  return { findings, unused: exceptions.filter((exception) => !used.has(exception)) };
}

function matches({ tool, rule, place }: Exception, finding: Finding): boolean {
  return tool === finding.tool && rule === finding.rule && (place === undefined || place === finding.place);
}

/** True for a finding that fails a check. */
export function fails({ severity, allowed }: JudgedFinding): boolean {
  return (severity === "breaking" || severity === "safety") && allowed === undefined;
}
