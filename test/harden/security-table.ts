import { cpus, totalmem } from "node:os";
import type { Finding } from "./attack.ts";

const begin = "<!-- made by npm run harden -- --write -->";
const end = "<!-- end -->";
const head = ["| Attack | Sent | tenon | Peers that got the same | Day |", "|---|---|---|---|---|"] as const;

/** A text as one cell: nothing in it ends the cell or the row. */
function cell(text: string): string {
  // A backslash in front of a bar would take the one that escapes it.
  return text.replaceAll(/\\*\|/g, "\\|").replaceAll(/\s+/g, " ").trim();
}

function rowOf({ attack, inputs, result, peers, breaches }: Finding): string {
  const mark = breaches.length === 0 ? "" : " **broken**";
  const day = new Date().toISOString().slice(0, 10);
  const cells = [attack, inputs, result + mark, peers.length === 0 ? "–" : peers.join("<br>"), day];
  return `| ${cells.map(cell).join(" | ")} |`;
}

/** The machine, for below the table. */
function machine(): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${first?.model.trim() ?? "unknown processor"}, ${gigabytes} GB, Node ${process.versions.node}.`;
}

/** The findings as a table of Markdown, with the machine below. */
export function securityTable(findings: readonly Finding[]): string {
  const details = findings.flatMap((finding) => (finding.details === undefined ? [] : [finding.details, ""]));
  return [...head, ...findings.map(rowOf), "", ...details, machine()].join("\n");
}

/**
 * The page with the rows of the findings in its table: each in the place of the row of that attack, a new one behind
 * the last. All other rows stay, with their day.
 */
export function withTable(page: string, findings: readonly Finding[]): string {
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || stop < start) throw new Error("docs/security.md has no place for the table.");
  const [, ...blocks] = page.slice(start, stop).trim().split("\n\n");
  const [table = "", ...others] = blocks;
  const keyOf = (row: string): string => row.slice(2).split(" | ", 1)[0] ?? "";
  const rows = new Map(
    table
      .split("\n")
      .slice(2)
      .map((row) => [keyOf(row), row]),
  );
  for (const finding of findings) rows.set(cell(finding.attack), rowOf(finding));
  const details = findings.flatMap((finding) => finding.details ?? []);
  // The last block is the machine.
  const below = details.length > 0 ? details : others.slice(0, -1);
  const all = [begin, [...head, ...rows.values()].join("\n"), ...below, machine(), ""];
  return `${page.slice(0, start)}${all.join("\n\n")}${page.slice(stop)}`;
}
