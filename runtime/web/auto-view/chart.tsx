import type { VNode } from "preact";
import type { ChartData, Series } from "./chart-data.ts";
import { formatNumber } from "./format-number.ts";

const height = 120;
/** Maximum number of values that are shown as bars; more are shown as a line. */
const mostBars = 40;

/** Draws numbers as bars, or as a line if there are many; one chart for each series. */
export function Chart({ labels, series, locale }: ChartData & { readonly locale: string | undefined }): VNode {
  return (
    <div class="charts">
      {series.map((one) => (
        <Plot key={one.name} {...one} labels={labels} locale={locale} />
      ))}
    </div>
  );
}

interface PlotProps extends Series {
  readonly labels: readonly string[];
  readonly locale: string | undefined;
}

function Plot({ name, values, labels, locale }: PlotProps): VNode {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const range = high - low || 1;
  const y = (value: number): number => ((high - value) / range) * height;
  const step = 100 / values.length;
  const told = (index: number): string => `${labels[index] ?? ""}: ${formatNumber(values[index] ?? 0, locale)}`;
  const extreme = values.indexOf(Math.max(...values));
  const summary = `${name === "" ? "Values" : name}: ${values.length} values, highest ${told(extreme)}`;
  const points = values.map((value, index) => `${(index + 0.5) * step},${y(value)}`).join(" ");
  return (
    <figure>
      <figcaption>
        <span>{name}</span>
        <span class="quiet">{formatNumber(high === 0 ? low : high, locale)}</span>
      </figcaption>
      <svg role="img" aria-label={summary} viewBox={`0 0 100 ${height}`} preserveAspectRatio="none">
        {values.length <= mostBars ? (
          values.map((value, index) => (
            <rect
              class="bar"
              x={index * step + step * 0.12}
              width={step * 0.76}
              y={Math.min(y(value), y(0))}
              height={Math.max(Math.abs(y(value) - y(0)), 0.6)}
            >
              <title>{told(index)}</title>
            </rect>
          ))
        ) : (
          <polyline class="line" points={points} />
        )}
        <line class="axis" x1="0" x2="100" y1={y(0)} y2={y(0)} />
      </svg>
      <div class="ends quiet" aria-hidden="true">
        <span>{labels[0]}</span>
        <span>{labels.at(-1)}</span>
      </div>
    </figure>
  );
}
