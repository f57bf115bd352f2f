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
  const results = findings.map((finding) => {
    const { file, line } = placeOf(finding.tool);
    const { tool, place, rule, severity, witness, allowed } = finding;
    return {
      ruleId: rule,
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
      // A fingerprint without a line, so that the same change stays the same alert if the function moves.
      partialFingerprints: { "tenonContract/v1": `${tool} ${place} ${rule}` },
      ...(allowed !== undefined && { suppressions: [{ kind: "external", justification: allowed }] }),
      properties: { severity, ...(witness !== undefined && { witness }) },
    };
  });
  return sarifLog(version, results);
}

interface SarifResult {
  readonly ruleId: string;
  readonly level: "error" | "warning" | "note";
  readonly message: { readonly text: string };
}

/** A log with one run of tenon. */
export function sarifLog(version: string, results: readonly SarifResult[]): string {
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].toSorted();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "tenon", version, rules: rules.map((id) => ({ id })) } },
        results: results.map((result) => ({ ...result, ruleIndex: rules.indexOf(result.ruleId) })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
