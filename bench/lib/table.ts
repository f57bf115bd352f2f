import { type Figure, type Goal, isReached, type Table } from "./figure.ts";

/** Formats a figure as lines of text, for a terminal. */
export function textTable(figure: Figure): string {
  const { name, unit, better, rows, goals } = figure;
  const table = tableOf(figure);
  const width = Math.max(...rows.map(({ contender }) => contender.length));
  return [
    `${name}, ${unit} (${better} is better)`,
    ...(table === undefined
      ? rows.map(
          ({ contender, median, spread }) =>
            `  ${contender.padEnd(width)} ${formatNumber(median).padStart(10)}  ± ${formatNumber(spread)}`,
        )
      : columns(table)),
    ...goals.map((goal) => `  ${isReached(goal) ? "ok    " : "MISSED"} ${goalText(goal)}`),
  ].join("\n");
}

function columns({ head, lines }: Table): readonly string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)));
  return [head, ...lines].map((line) => `  ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`);
}

/** The table that is shown in place of rows. */
function tableOf(figure: Figure): Table | undefined {
  return figure.table ?? (figure.curves === undefined ? undefined : curvesTable(figure));
}

/** The values of curves, a line for each size. */
function curvesTable({ axis = "", unit, curves = [] }: Figure): Table {
  const sizes = [...new Set(curves.flatMap(({ points }) => points.map(([size]) => size)))].toSorted((a, b) => a - b);
  return {
    head: [axis, ...curves.map(({ contender }) => `${contender}, ${unit}`)],
    lines: sizes.map((size) => [
      size.toLocaleString("en"),
      ...curves.map(({ points }) => formatNumber(points.find(([at]) => at === size)?.[1] ?? Number.NaN)),
    ]),
  };
}

/** Formats a table as Markdown, in which a type such as `Page<User>` stays text. */
export function markdownLines({ head, lines }: Table): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ").replaceAll("<", "\\<")} |`;
  return [line(head), `|---|${"--:|".repeat(head.length - 1)}`, ...lines.map(line)];
}

/** Formats a figure as a section of a Markdown page. */
export function markdownTable(figure: Figure): string {
  const { id, name, unit, better, rows, goals } = figure;
  const shown = tableOf(figure) ?? {
    head: ["Contender", `${unit} (${better} is better)`, "±"],
    lines: rows.map(({ contender, median, spread }) => [contender, formatNumber(median), formatNumber(spread)]),
  };
  return [
    `## ${name}`,
    "",
    `![${name}](benchmarks/${id}.svg)`,
    "",
    ...markdownLines(shown),
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
