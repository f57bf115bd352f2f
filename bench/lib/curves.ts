import type { Curve, Figure } from "./figure.ts";
import { darkStyle, escape, lightStyle } from "./plot.ts";
import { formatNumber } from "./table.ts";

const area = { left: 80, top: 60, width: 430, height: 220 };
/** Powers of ten that a curve may be beside the line between its ends, and counts as straight. */
const straight = 0.1;

/** Draws curves on logarithmic axes, for light and dark pages. Those of tenon are highlighted. */
export function curvesSvg({ name, unit, better, axis = "", curves: given = [] }: Figure): string {
  const curves = given.map(({ contender, points }) => ({ contender, points: points.filter(isMeasured) }));
  const points = curves.flatMap((curve) => curve.points);
  const sizes = [...new Set(points.map(([size]) => size))];
  const [x] = logAxis(sizes);
  const [y, yTicks] = logAxis(points.map(([, value]) => value));
  const atX = (size: number): number => round(area.left + x(size) * area.width);
  const atY = (value: number): number => round(area.top + (1 - y(value)) * area.height);
  const [right, bottom] = [area.left + area.width, area.top + area.height];
  const grid = [
    ...sizes.map((size) => {
      const at = atX(size);
      return `<path class="grid" d="M${at} ${area.top}V${bottom}"/><text class="note" x="${at}" y="${bottom + 18}" text-anchor="middle">${formatNumber(size)}</text>`;
    }),
    ...yTicks.map((value) => {
      const at = atY(value);
      return `<path class="grid" d="M${area.left} ${at}H${right}"/><text class="note" x="${area.left - 8}" y="${at + 4.5}" text-anchor="end">${formatNumber(value)}</text>`;
    }),
  ];
  const labels = spread(curves.map((curve) => atY(curve.points.at(-1)?.[1] ?? 1)));
  const lines = curves.map(({ contender, points: own }, index) => {
    const kind = contender.startsWith("tenon") ? "own" : "peer";
    const places = own.map(([size, value]) => [atX(size), atY(value)] as const);
    return [
      `<polyline class="${kind} line" points="${places.map((place) => place.join(",")).join(" ")}"/>`,
      ...places.map(([cx, cy]) => `<circle class="dot ${kind}" cx="${cx}" cy="${cy}" r="3.5"/>`),
      `<text class="${kind} name" x="${(places.at(-1)?.[0] ?? right) + 12}" y="${(labels[index] ?? 0) + 4.5}">${escape(contender)}</text>`,
    ].join("");
  });
  const longest = Math.max(...curves.map(({ contender }) => contender.length));
  const width = Math.max(right + 40 + 7.5 * longest, 28 + 8 * name.length);
  const height = bottom + 50;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(name)}">
  <style>
    ${lightStyle}
    .grid { stroke: #d1d9e0; }
    .own { fill: #0969da; stroke: #0969da; }
    .peer { fill: #6e7781; stroke: #6e7781; }
    .line { fill: none; stroke-width: 2; }
    .line.peer { stroke-dasharray: 6 3; }
    .name { stroke: none; }
    @media (prefers-color-scheme: dark) {
      ${darkStyle}
      .grid { stroke: #30363d; }
      .own { fill: #4493f8; stroke: #4493f8; }
      .peer { fill: #9198a1; stroke: #9198a1; }
      .line { fill: none; }
      .name { stroke: none; }
    }
  </style>
  <rect class="page" width="${width}" height="${height}" rx="6"/>
  <text class="title" x="14" y="24">${escape(name)}</text>
  <text class="note" x="14" y="43">${unit}, ${better} is better, both axes logarithmic</text>
  ${[...grid, ...lines].join("\n  ")}
  <text class="note" x="${area.left + area.width / 2}" y="${height - 12}" text-anchor="middle">${escape(axis)}</text>
</svg>
`;
}

/** Says where a curve bends: where it is farthest from the line between its ends. */
export function bendText({ contender, points }: Curve, axis: string): string {
  const measured = points.filter(isMeasured);
  const logs = measured.map(([size, value]) => [Math.log10(size), Math.log10(value)] as const);
  const slope = (from: number, to: number): number => {
    const [[x0, y0], [x1, y1]] = [logs[from] ?? [0, 0], logs[to] ?? [1, 1]];
    return (y1 - y0) / (x1 - x0);
  };
  const last = logs.length - 1;
  const [x0, y0] = logs[0] ?? [0, 0];
  const distances = logs.map(([x, y]) => Math.abs(y - y0 - slope(0, last) * (x - x0)));
  const bend = distances.indexOf(Math.max(...distances));
  const factor = (from: number, to: number): string => `× ${formatNumber(10 ** slope(from, to))}`;
  if ((distances[bend] ?? 0) < straight)
    return `${contender}: ${factor(0, last)} for ten times as many ${axis}, no bend.`;
  const at = (measured[bend]?.[0] ?? 0).toLocaleString("en");
  return `${contender}: ${factor(0, bend)} for ten times as many ${axis} up to ${at}, ${factor(bend, last)} from there on.`;
}

function isMeasured([, value]: readonly [number, number]): boolean {
  return value > 0 && Number.isFinite(value);
}

/** Places values between 0 and 1, and names whole powers of ten, or a few more where there are not two of them. */
function logAxis(values: readonly number[]): readonly [(value: number) => number, readonly number[]] {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const margin = Math.max((high - low) * 0.05, 0.05);
  const place = (value: number): number => (Math.log10(value) - low + margin) / (high - low + 2 * margin);
  const powers = Array.from({ length: Math.ceil(high) - Math.floor(low) + 1 }, (_, n) => 10 ** (Math.floor(low) + n));
  const steps = high - low < 1.5 ? [1, 2, 5] : [1];
  const ticks = powers.flatMap((power) => steps.map((step) => power * step));
  return [place, ticks.filter((tick) => place(tick) >= 0 && place(tick) <= 1)];
}

/** Moves labels apart that would lie on one another. */
function spread(places: readonly number[]): readonly number[] {
  const order = places.map((_, index) => index).toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const moved = [...places];
  for (const [rank, index] of order.entries()) {
    const above = moved[order[rank - 1] ?? -1];
    if (above !== undefined) moved[index] = Math.max(moved[index] ?? 0, above + 16);
  }
  return moved;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
