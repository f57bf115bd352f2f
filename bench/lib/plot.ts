import { type Figure, isReached } from "./figure.ts";
import { formatNumber } from "./table.ts";

const bar = { height: 18, gap: 10, width: 430 };
/** Room on the left for names of contenders; longer ones get more. */
const shortestLeft = 210;
/** Of all plots. */
const font = "ui-sans-serif, system-ui, sans-serif";

/** Rules of texts and the page that all drawings share. */
export const lightStyle = `text { font: 13px ${font}; fill: #1f2328; }
    .page { fill: #ffffff; }
    .title { font-size: 15px; font-weight: 600; }
    .note { fill: #59636e; }`;
/** The same for dark pages. */
export const darkStyle = `text { fill: #e6edf3; }
      .page { fill: #0d1117; }
      .note { fill: #9198a1; }`;

/** Draws a figure as bars, for light and dark pages. Rows of tenon are highlighted. */
export function plotSvg({ name, unit, better, rows, goals }: Figure): string {
  const top = 58;
  const height = top + rows.length * (bar.height + bar.gap) + (goals.some((goal) => !isReached(goal)) ? 26 : 8);
  const left = Math.max(shortestLeft, ...rows.map(({ contender }) => textWidth(contender)));
  const values = rows.map(({ median }) => (Number.isFinite(median) ? median : 0));
  const [largest, scale] = scaleOf(values);
  let width = left + bar.width + 110;
  const lines = rows.map(({ contender, median, spread }, index) => {
    const y = top + index * (bar.height + bar.gap);
    const length = Number.isFinite(median) ? Math.max(2, scale(median) * bar.width) : 0;
    const kind = contender.startsWith("tenon") ? "own" : "peer";
    const middle = y + bar.height / 2 + 4.5;
    const whisker = Number.isFinite(spread)
      ? (scale(median + spread) - scale(Math.max(median - spread, 0))) * bar.width
      : 0;
    // One that is longer than its bar would go through the name.
    const from = Math.max(left, left + length - whisker / 2);
    const labelAt = left + length + Math.max(8, whisker / 2 + 6);
    const label = `${formatNumber(median)} ${unit}`;
    width = Math.max(width, labelAt + textWidth(label));
    return [
      `<text class="label" x="${left - 10}" y="${middle}" text-anchor="end">${escape(contender)}</text>`,
      `<rect class="${kind}" x="${left}" y="${y}" width="${round(length)}" height="${bar.height}" rx="3"/>`,
      `<line class="spread" x1="${round(from)}" x2="${round(left + length + whisker / 2)}" y1="${y + bar.height / 2}" y2="${y + bar.height / 2}"/>`,
      `<text class="value" x="${round(labelAt)}" y="${middle}">${escape(label)}</text>`,
    ].join("\n  ");
  });
  const isLogarithmic = scale(largest / 10) > 0.11;
  const subtitle = `${better} is better${isLogarithmic ? ", logarithmic" : ""}`;
  const missed = goals.filter((goal) => !isReached(goal)).map(({ text }) => text);
  const note = missed.length === 0 ? "" : `goal missed: ${missed.join("; ")}`;
  width = round(Math.max(width, textWidth(note)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(name)}">
  <style>
    ${lightStyle}
    .own { fill: #0969da; }
    .peer { fill: #afb8c1; }
    .spread { stroke: #1f2328; stroke-opacity: .55; }
    @media (prefers-color-scheme: dark) {
      ${darkStyle}
      .own { fill: #4493f8; }
      .peer { fill: #57606a; }
      .spread { stroke: #e6edf3; }
    }
  </style>
  <rect class="page" width="${width}" height="${height}" rx="6"/>
  <text class="title" x="14" y="24">${escape(name)}</text>
  <text class="note" x="14" y="43">${subtitle}</text>
  ${lines.join("\n  ")}${note === "" ? "" : `\n  <text class="note" x="14" y="${height - 9}">${escape(note)}</text>`}
</svg>
`;
}

/** Width of a text with a margin; generous, since fonts differ. */
function textWidth(text: string): number {
  return 7.5 * text.length + 28;
}

/**
 * The largest value, and a function that places a value between 0 and 1; logarithmic when the smallest bar would be
 * invisible.
 */
function scaleOf(values: readonly number[]): readonly [number, (value: number) => number] {
  const largest = Math.max(...values, Number.MIN_VALUE);
  const smallest = Math.min(...values.filter((value) => value > 0), largest);
  if (largest / smallest < 60) return [largest, (value) => value / largest];
  const floor = Math.log10(smallest) - 0.5;
  const range = Math.log10(largest) - floor;
  return [largest, (value) => Math.max(0, (Math.log10(Math.max(value, Number.MIN_VALUE)) - floor) / range)];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Escapes a text for SVG. */
export function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
