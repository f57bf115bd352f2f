import type { Severity } from "../finding.ts";
import { details, type Report, sentence } from "./describe.ts";

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  breaking: "error",
  safety: "error",
  behaviour: "warning",
  additive: "note",
  wording: "note",
};

/** A log in the Static Analysis Results Interchange Format 2.1.0, for code scanning. */
export function formatSarif({ findings, placeOf }: Report, version: string): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))].toSorted();
  const results = findings.map((finding) => {
    const { file, line } = placeOf(finding.tool);
    const { tool, place, rule, severity, witness, allowed } = finding;
    return {
      ruleId: rule,
      ruleIndex: rules.indexOf(rule),
      level: levels[severity],
      message: { text: [sentence(finding), ...details(finding)].join("\n") },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
            ...(line !== undefined && { region: { startLine: line } }),
          },
          logicalLocations: [{ name: tool, fullyQualifiedName: `${tool} ${place}` }],
        },
      ],
      // The same change is the same alert, wherever the function moves to.
      partialFingerprints: { "tenonContract/v1": `${tool} ${place} ${rule}` },
      ...(allowed !== undefined && { suppressions: [{ kind: "external", justification: allowed }] }),
      properties: { severity, ...(witness !== undefined && { witness }) },
    };
  });
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "tenon", version, rules: rules.map((id) => ({ id })) } }, results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
