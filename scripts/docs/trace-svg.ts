/** Draws a trace as a picture: a bar for each span, below its parent. */

/** A span with its times in milliseconds. */
export interface DrawnSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Name of the tracer; ours is `tenon`. */
  readonly scope: string;
  readonly start: number;
  readonly end: number;
}

const left = 330;
const bars = 560;
const width = left + bars + 120;
const row = 34;

interface Placed extends DrawnSpan {
  readonly depth: number;
}

/** The picture of a trace whose first span has this name. */
export function drawTrace(title: string, spans: readonly DrawnSpan[]): string {
  const rows = below(undefined, spans, 0);
  const [first] = rows;
  if (first === undefined || first.name !== title || rows.length !== spans.length)
    throw new Error(`This is not one trace of ${title}: ${spans.map(({ name }) => name).join(", ")}`);
  const whole = first.end - first.start;
  const at = (time: number): number => left + ((time - first.start) / whole) * bars;
  const height = 36 + rows.length * row + 34;
  const axis = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const x = left + part * bars;
    return `  <line class="axis" x1="${x}" y1="30" x2="${x}" y2="${height - 30}"/>
  <text class="note" x="${x}" y="20" text-anchor="middle">${(part * whole).toFixed(1)} ms</text>`;
  });
  const drawn = rows.map(({ name, scope, start, end, depth }, index) => {
    const y = 56 + index * row;
    const length = Math.max(2, at(end) - at(start));
    return `  <text x="${14 + depth * 18}" y="${y}">${escape(name)}</text>
  <rect class="${scope === "tenon" ? "tenon" : "author"}" x="${at(start).toFixed(1)}" y="${y - 13}" width="${length.toFixed(1)}" height="18" rx="3"/>
  <text class="note" x="${(at(start) + length + 6).toFixed(1)}" y="${y}">${(end - start).toFixed(2)} ms</text>`;
  });
  const told = rows.map(({ name, scope, depth }) => `${"   ".repeat(depth)}${name} (${scope})`).join("; ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Trace of one MCP call: ${escape(told)}">
  <style>
    text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1f2328; }
    .page { fill: #ffffff; }
    .note { fill: #59636e; font-size: 12px; }
    .axis { stroke: #d1d9e0; }
    .tenon { fill: #0969da; }
    .author { fill: #bf8700; }
    @media (prefers-color-scheme: dark) { text { fill: #f0f6fc; } .page { fill: #0d1117; } .note { fill: #9198a1; } .axis { stroke: #3d444d; } }
  </style>
  <rect class="page" width="100%" height="100%"/>
${axis.join("\n")}
${drawn.join("\n")}
  <rect class="tenon" x="14" y="${height - 21}" width="12" height="12" rx="2"/><text class="note" x="32" y="${height - 11}">made by tenon</text>
  <rect class="author" x="140" y="${height - 21}" width="12" height="12" rx="2"/><text class="note" x="158" y="${height - 11}">made by the author with @opentelemetry/api</text>
</svg>
`;
}

/** The spans below one, each with its own below it, in the order of their begin. */
function below(parent: string | undefined, spans: readonly DrawnSpan[], depth: number): readonly Placed[] {
  return spans
    .filter(({ parentSpanId }) => (parentSpanId === "" ? undefined : parentSpanId) === parent)
    .toSorted((one, other) => one.start - other.start)
    .flatMap((span) => [{ ...span, depth }, ...below(span.spanId, spans, depth + 1)]);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
