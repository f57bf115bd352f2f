import { type Figure, type Goal, isReached } from "./figure.ts";

/** Formats a figure as lines of text, for a terminal. */
export function textTable({ name, unit, better, rows, goals }: Figure): string {
  const width = Math.max(...rows.map(({ contender }) => contender.length));
  return [
    `${name}, ${unit} (${better} is better)`,
    ...rows.map(
      ({ contender, median, spread }) =>
        `  ${contender.padEnd(width)} ${formatNumber(median).padStart(10)}  ± ${formatNumber(spread)}`,
    ),
    ...goals.map((goal) => `  ${isReached(goal) ? "ok    " : "MISSED"} ${goalText(goal)}`),
  ].join("\n");
}

/** Formats a figure as a section of a Markdown page. */
export function markdownTable({ id, name, unit, better, rows, goals }: Figure): string {
  return [
    `## ${name}`,
    "",
    `![${name}](benchmarks/${id}.svg)`,
    "",
    `| Contender | ${unit} (${better} is better) | ± |`,
    "|---|--:|--:|",
    ...rows.map(
      ({ contender, median, spread }) => `| ${contender} | ${formatNumber(median)} | ${formatNumber(spread)} |`,
    ),
    ...(goals.length === 0
      ? []
      : ["", ...goals.map((goal) => `- ${isReached(goal) ? "" : "**missed:** "}${goalText(goal)}`)]),
  ].join("\n");
}

/** Formats a goal with the measured value. */
export function goalText({ text, value, bound, direction, unit }: Goal): string {
  const suffix = unit === undefined ? " ×" : ` ${unit}`;
  return `${text}: ${formatNumber(value)}${suffix}, goal ${direction} ${formatNumber(bound)}${suffix}`;
}

/** Formats a number with three significant digits and thousands separators. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.095 ? 2 : 3;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}
