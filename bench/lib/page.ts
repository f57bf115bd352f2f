import { type Figure, isReached } from "./figure.ts";
import type { Report } from "./script.ts";
import { formatNumber, markdownTable } from "./table.ts";

/** The last report of one script of `bench/`. */
export interface NamedReport extends Report {
  /** Name of the script, for example `build`. */
  readonly name: string;
}

/** Milliseconds from start to first answer of a bare `node:http` server on the machine on which the goals were set. */
const bareStartOfGoals = 54;

/** `docs/benchmarks.md`: all goals at a glance, then each figure with its contenders. */
export function benchmarksPage(reports: readonly NamedReport[]): string {
  const sections = reports.map(
    ({ name, machine, figures }) =>
      `\`npm run bench -- ${name}\` on ${machine}\n\n${figures.map(markdownTable).join("\n\n")}`,
  );
  return `# Benchmarks

Contenders of a figure ran in the same run, taking turns; ± is half the width of the middle half of the samples.
A missed goal stays here.${speedText(reports)}

## Goals

| Figure | Reached | Goal | |
|---|--:|--:|---|
${reports.flatMap(({ figures }) => figures.flatMap(goalRows)).join("\n")}

${sections.join("\n\n")}
`;
}

function goalRows({ name, goals }: Figure): readonly string[] {
  return goals.map((goal) => {
    const unit = goal.unit === undefined ? "×" : goal.unit;
    const measured = `${formatNumber(goal.value)} ${unit}`;
    return `| ${name}: ${goal.text} | ${measured} | ${goal.direction} ${formatNumber(goal.bound)} ${unit} | ${isReached(goal) ? "" : "**missed**"} |`;
  });
}

/** Compares this machine with that of the goals, since goals that are not ratios depend on the machine. */
function speedText(reports: readonly NamedReport[]): string {
  const start = reports.flatMap(({ figures }) => figures).find(({ id }) => id === "start");
  const bare = start?.rows.find(({ contender }) => contender === "bare node:http")?.median;
  if (bare === undefined) return "";
  return ` Goals in milliseconds or per second were set on a machine on which a bare \`node:http\` server
gives its first answer after ${bareStartOfGoals} ms; on this one it takes ${formatNumber(bare)} ms, ${formatNumber(bare / bareStartOfGoals)} times as long.`;
}
