import type { FactCheck } from "./read-fact-check.ts";
import type { ReportRequest } from "./write-report.ts";

/** The report as Markdown; references that are not confirmed say why. */
export function reportText({ topic, paragraphs, references }: ReportRequest, check: FactCheck | undefined): string {
  const lines = [`# ${oneLine(topic)}`, ...paragraphs.map((paragraph) => paragraph.trim())];
  if (references.length === 0) return `${lines.join("\n\n")}\n`;
  const list = references.map((reference, index) => {
    const checked = check?.references[index];
    const mark =
      checked === undefined || checked.verdict === "confirmed" ? "" : ` — **not confirmed:** ${checked.reason}`;
    return `${index + 1}. ${oneLine(reference)}${mark}`;
  });
  return `${[...lines, "## References", list.join("\n")].join("\n\n")}\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
