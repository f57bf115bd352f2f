import { paint, say, type Style } from "../../base/output.ts";
import { visibleLine } from "../../../runtime/base/visible-text.ts";
import { packageVersion } from "../../base/version.ts";
import { fails, type JudgedFinding } from "../exceptions.ts";
import type { Severity } from "../finding.ts";
import { countText, details, type Report } from "../formats/describe.ts";
import { formatGithub } from "../formats/github.ts";
import { formatMarkdown } from "../formats/markdown.ts";
import { formatSarif } from "../formats/sarif.ts";
import { tokenText } from "../token-change.ts";
import type { ContractCheck } from "./check-against.ts";
import { exceptionsFile } from "./read-exceptions.ts";
import type { ContractFix } from "./write-fixes.ts";

const styles: Readonly<Record<Severity, Style>> = {
  breaking: "red",
  safety: "red",
  behaviour: "yellow",
  additive: "green",
  wording: "dim",
};

const formats: Readonly<Record<string, (report: Report) => string>> = {
  github: formatGithub,
  markdown: formatMarkdown,
  sarif: (report) => formatSarif(report, packageVersion()),
};

/** Names for `--format`. */
export const formatNames: readonly string[] = Object.keys(formats);

/** The findings in a format for other programs. */
export function inFormat(name: string, { version, ...check }: ContractCheck): string {
  return formats[name]?.({ ...check, ...(version.needed !== undefined && { version: version.needed }) }) ?? "";
}

/** Prints the differences between two contracts for people. */
export function tellCheck({ against, absent, findings, unused, version, tokens }: ContractCheck): void {
  if (absent !== undefined) {
    say(absent);
    return;
  }
  for (const finding of findings) tellFinding(finding);
  const failed = findings.filter(fails).length;
  const verdict =
    failed === 0
      ? paint("green", "callers are safe")
      : paint("red", `${failed} of them ${failed === 1 ? "fails" : "fail"} the check`);
  say(`${findings.length === 0 ? "" : "\n"}Against ${against}: ${countText(findings)}; ${verdict}.`);
  if (version.needed !== undefined) {
    const went = version.before === version.after ? "it is still" : `it went from ${version.before} to`;
    say(`The changes need version ${version.needed}; ${went} ${version.after}.`);
  }
  const grown = tokens && tokenText(tokens);
  if (grown !== undefined) say(`The tools take about ${tokens?.after} tokens in a model's tool list: ${grown}.`);
  for (const { tool, rule } of unused) say(`${exceptionsFile}: no finding needs the exception for ${tool}, ${rule}.`);
  if (findings.some((one) => fails(one) && one.rule === "urn-unchanged")) {
    say("`--fix` writes the URNs and the version.");
  }
}

function tellFinding(finding: JudgedFinding): void {
  const { severity, tool, place, message, rule } = finding;
  // Control characters are made visible: names and texts may come from an untrusted contract.
  const [name, at, what] = [tool, place, message].map(visibleLine);
  const head = `${paint(styles[severity], severity.padEnd(9))} ${paint("bold", name ?? "")} ${at}  ${what}`;
  say(`${head}  ${paint("dim", rule)}`);
  for (const line of details(finding)) say(`          ${visibleLine(line)}`);
}

/** Prints the changes that `--fix` has made to files. */
export function tellFixes(fixes: readonly ContractFix[]): void {
  for (const { file, line, before, after, problem } of fixes) {
    if (problem !== undefined) say(`${paint("yellow", "open ")} ${before} → ${after}: ${problem}`);
    else say(`${paint("green", "fixed")} ${file}${line === undefined ? "" : `:${line}`}  ${before} → ${after}`);
  }
  if (fixes.length === 0) say("There is nothing to fix.");
}
