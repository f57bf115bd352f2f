import type { VNode } from "preact";
import type { Json } from "../console/base/json.ts";
import { JsonTree } from "../console/parts/json-tree.tsx";
import { timeOf } from "../console/parts/time.tsx";
import { formatNumber } from "./format-number.ts";
import type { Schema } from "../console/schema/schema.ts";

/** A JSON value and its schema. */
export interface ValueProps {
  readonly value: Json;
  readonly schema: Schema;
  /** Root schema, into which references lead. */
  readonly root: Schema;
  readonly locale: string | undefined;
}

/** True for a value without parts. */
export function isScalar(value: Json): boolean {
  return typeof value !== "object" || value === null;
}

/** Formats a value in the host's language. */
export function Value({ value, schema, locale }: ValueProps): VNode {
  if (value === null) return <span class="quiet">–</span>;
  if (typeof value === "boolean") return <span class={`flag ${String(value)}`}>{value ? "yes" : "no"}</span>;
  if (typeof value === "number") return <span class="number">{formatNumber(value, locale)}</span>;
  if (typeof value === "string") return timeOf(value, schema.format, locale) ?? <span class="text">{value}</span>;
  return <JsonTree value={value} open={1} />;
}
