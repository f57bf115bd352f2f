import type { Json } from "../console/base/json.ts";
import { partSchema } from "../console/schema/part-schema.ts";
import { labelOf } from "./labels.ts";
import { rowsOf } from "../console/parts/rows.ts";
import type { Schema } from "../console/schema/schema.ts";

/** Numbers of one kind, one for each label. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

export interface ChartData {
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}

const mostSeries = 3;
const mostValues = 400;

/**
 * The numbers of a list: the list itself, or up to three columns of a list of objects. Undefined if there are no
 * numbers to compare.
 */
export function chartOf(value: Json, schema: Schema, root: Schema): ChartData | undefined {
  if (!Array.isArray(value) || value.length < 2 || value.length > mostValues) return undefined;
  const list = value as readonly Json[];
  if (list.every(isNumber))
    return { labels: list.map((_, index) => String(index + 1)), series: [{ name: "", values: list }] };
  const rows = rowsOf(value);
  const [first] = rows ?? [];
  if (rows === undefined || first === undefined) return undefined;
  const item = partSchema(schema, "0", root);
  const keys = Object.keys(first).filter((key) => key !== "$schema");
  const numeric = keys.filter((key) => rows.every((row) => isNumber(row[key])) && !isName(key));
  const named = keys.find((key) => !numeric.includes(key) && rows.every((row) => isLabel(row[key])));
  // Without a column of names, the first column with only different numbers names the rows.
  const counted =
    named ?? (numeric.length > 1 && isRising(rows.map((row) => row[numeric[0] ?? ""])) ? numeric[0] : undefined);
  const shown = numeric.filter((key) => key !== counted).slice(0, mostSeries);
  if (shown.length === 0) return undefined;
  return {
    labels: rows.map((row, index) => (counted === undefined ? String(index + 1) : String(row[counted]))),
    series: shown.map((key) => ({
      name: labelOf(key, partSchema(item, key, root)),
      values: rows.map((row) => row[key] as number),
    })),
  };
}

function isNumber(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isLabel(value: Json | undefined): boolean {
  return typeof value === "string" && value.length <= 40;
}

function isRising(values: readonly (Json | undefined)[]): boolean {
  return values.every((value, index) => index === 0 || (value as number) > (values[index - 1] as number));
}

/** True for columns whose numbers are identifiers rather than quantities. */
function isName(key: string): boolean {
  return /^(?:id|.*[a-z]Id|.*_id|code|year)$/.test(key);
}
