import { cpus, totalmem } from "node:os";
import type { Finding } from "./attack.ts";

const begin = "<!-- made by npm run harden -- --write -->";
const end = "<!-- end -->";

/** The findings as a table of Markdown, with the machine below. */
export function securityTable(findings: readonly Finding[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const rows = findings.map(({ attack, inputs, result, peers, breaches }) => {
    const mark = breaches.length === 0 ? "" : " **broken**";
    return `| ${[attack, inputs, result + mark, peers.length === 0 ? "–" : peers.join("<br>")].map(cell).join(" | ")} |`;
  });
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    "| Attack | Sent | tenon | Peers that got the same |",
    "|---|---|---|---|",
    ...rows,
    "",
    ...findings.flatMap(({ details }) => (details === undefined ? [] : [details, ""])),
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${first?.model.trim() ?? "unknown processor"}, ${gigabytes} GB, Node ${process.versions.node}.`,
  ].join("\n");
}

/** The page with the table in its place. */
export function withTable(page: string, table: string): string {
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || stop < start) throw new Error("docs/security.md has no place for the table.");
  return `${page.slice(0, start)}${begin}\n\n${table}\n\n${page.slice(stop)}`;
}
