import { shortenValue } from "../../../runtime/contract/validation/report/shorten.ts";
import { severities } from "../finding.ts";
import type { TokenChange } from "../token-change.ts";
import type { JudgedFinding } from "../exceptions.ts";

/** Position of a tool in the source code. */
export interface Place {
  /** Path relative to the repository, with forward slashes. */
  readonly file: string;
  readonly line?: number;
}

/** Data that every format shows. */
export interface Report {
  readonly findings: readonly JudgedFinding[];
  /** Name of the earlier contract. */
  readonly against: string;
  /** The position of a tool, prompt or resource; for all other names, that of the definition. */
  readonly placeOf: (tool: string) => Place;
  /** Size of the tools in a model's tool list. */
  readonly tokens?: TokenChange;
  /** The version that the changes require. */
  readonly version?: string;
}

/** Formats a finding as `isPrime request /limit is new and required`. */
export function sentence({ tool, place, message }: JudgedFinding): string {
  return `${tool} ${place}: ${message}`;
}

/** Explains how the witness proves a finding. */
export function proofText({ place, rule, witness }: JudgedFinding): string | undefined {
  if (witness === undefined) return undefined;
  const value = JSON.stringify(shortenValue(witness.value));
  if (rule === "result-kind-changed") return witness.problem;
  return place.startsWith("result")
    ? `${value} may be given now; before: ${witness.problem}`
    : `${value} was accepted, is refused now: ${witness.problem}`;
}

/** All lines that are printed below a finding. */
export function details(finding: JudgedFinding): readonly string[] {
  const { fix, allowed, ended } = finding;
  return [
    proofText(finding),
    fix === undefined ? undefined : `fix: ${fix}`,
    allowed === undefined ? undefined : `allowed: ${allowed}`,
    ended === undefined ? undefined : `its exception ended on ${ended}`,
  ].filter((line) => line !== undefined);
}

/** Formats numbers of findings as `2 breaking, 1 additive`. */
export function countText(findings: readonly JudgedFinding[]): string {
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  return counts.length === 0 ? "no changes" : counts.join(", ");
}
