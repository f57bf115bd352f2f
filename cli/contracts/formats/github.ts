import { fails } from "../exceptions.ts";
import type { Severity } from "../finding.ts";
import { details, type Report, sentence } from "./describe.ts";

const levels: Readonly<Record<Severity, string>> = {
  breaking: "error",
  safety: "error",
  behaviour: "warning",
  additive: "notice",
  wording: "notice",
};

/** Workflow commands, which GitHub's runner shows at the lines of a pull request. */
export function formatGithub({ findings, placeOf }: Report): string {
  return findings
    .map((finding) => {
      const { file, line } = placeOf(finding.tool);
      const level = fails(finding) || finding.allowed === undefined ? levels[finding.severity] : "notice";
      const at = { file, ...(line !== undefined && { line }), title: `${finding.severity}: ${finding.rule}` };
      return workflowCommand(level ?? "notice", at, [sentence(finding), ...details(finding)].join("\n"));
    })
    .join("");
}

/** A line that GitHub's runner shows at a place of the code. */
export function workflowCommand(level: string, at: Readonly<Record<string, string | number>>, text: string): string {
  const properties = Object.entries(at).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${properties.join(",")}::${data(text)}\n`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
