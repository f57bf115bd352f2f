/** A chart as Vega-Lite has it: its `$schema` says which grammar it follows. */
export interface Chart {
  /** The grammar. */
  $schema?: string;
  /** What is drawn. */
  mark: string;
}

/** @schema urn:example:schema.drawing.request.1 */
export interface DrawRequest {
  /** The chart. */
  chart: Chart;
  /** A schema of the data. */
  data?: { $schema: "https://json-schema.org/draft/2020-12/schema"; title: string };
}

/** Draws a chart. @tool */
export function draw(request: DrawRequest): string {
  return request.chart.$schema ?? "";
}
