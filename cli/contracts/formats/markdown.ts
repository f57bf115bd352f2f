import { fails } from "../exceptions.ts";
import { tokenText } from "../token-change.ts";
import { countText, details, type Report } from "./describe.ts";

/** A comment for a pull request. */
export function formatMarkdown({ findings, against, version, tokens }: Report): string {
  const grown = tokens && tokenText(tokens);
  const failed = findings.filter(fails).length;
  const head = `### Contract against ${code(against)}: ${countText(findings)}`;
  if (findings.length === 0) return `${head}\n`;
  const rows = findings.map((finding) => {
    const told = [finding.message, ...details(finding)].map(cell).join("<br>");
    return `| ${finding.severity} | ${code(finding.tool)} | ${code(finding.place)} | ${told} | ${code(finding.rule)} |`;
  });
  return [
    head,
    "",
    "| | Tool | Place | Change | Rule |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    failed === 0 ? "Nothing here stops callers." : `${failed} of them ${failed === 1 ? "fails" : "fail"} the check.`,
    ...(grown === undefined ? [] : ["", `The tools take about ${tokens?.after} tokens: ${grown}.`]),
    ...(version === undefined ? [] : ["", `The changes need version ${version}.`]),
    "",
  ].join("\n");
}

function cell(text: string): string {
  return text.replaceAll(/[\\|<>*_`[\]]/g, String.raw`\$&`).replaceAll(/\s+/g, " ");
}

function code(text: string): string {
  return `\`${text
    .replaceAll("`", "'")
    .replaceAll("|", String.raw`\|`)
    .replaceAll(/\s+/g, " ")}\``;
}
