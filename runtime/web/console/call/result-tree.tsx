import type { VNode } from "preact";
import type { Json } from "../base/json.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import { Markdown, isMarkdown } from "../parts/markdown.tsx";
import { Table, rowsOf } from "../parts/table.tsx";
import { timeOf } from "../parts/time.tsx";

/**
 * Shows a JSON result: lists of objects as tables, times with their zone, Markdown formatted, everything else as a
 * tree.
 */
export function ResultTree({ value, open = 2 }: { readonly value: Json; readonly open?: number }): VNode {
  return <JsonTree value={value} show={showValue} open={open} />;
}

function showValue(value: Json): VNode | undefined {
  const rows = rowsOf(value);
  if (rows !== undefined) return <Table rows={rows} cell={cellOf} />;
  if (typeof value !== "string") return undefined;
  const format = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)$/.test(value) ? "date-time" : undefined;
  return timeOf(value, format) ?? (isMarkdown(value) ? <Markdown text={value} /> : undefined);
}

function cellOf(value: Json): VNode {
  return typeof value === "object" && value !== null ? (
    <ResultTree value={value} open={0} />
  ) : (
    (showValue(value) ?? <>{String(value)}</>)
  );
}
