import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Json } from "../console/base/json.ts";
import { More } from "../console/parts/quiet-button.tsx";
import type { Schema } from "../console/schema/schema.ts";
import { labelOf, propertySchema } from "./labels.ts";
import { Value } from "./value.tsx";

interface TableProps {
  readonly rows: readonly Readonly<Record<string, Json>>[];
  /** Schema of a row. */
  readonly schema: Schema;
  readonly root: Schema;
  readonly locale: string | undefined;
}

interface Order {
  readonly key: string;
  readonly isDown: boolean;
}

/** Rows that are shown before somebody asks for more. */
const portion = 20;
const mostColumns = 20;

/** A list of objects as a table that sorts by any column. */
export function Table({ rows, schema, root, locale }: TableProps): VNode {
  const [limit, setLimit] = useState(portion);
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const keys = [...new Set(rows.slice(0, 500).flatMap((row) => Object.keys(row)))].filter((key) => key !== "$schema");
  const columns = keys.slice(0, mostColumns).map((key) => {
    const field = propertySchema(schema, key, root);
    return { key, field, isNumber: rows.every((row) => row[key] === undefined || typeof row[key] === "number") };
  });
  const sorted =
    order === undefined ? rows : rows.toSorted((a, b) => compare(a[order.key], b[order.key], order.isDown));
  const turn = (key: string): void =>
    setOrder(order?.key !== key ? { key, isDown: false } : order.isDown ? undefined : { key, isDown: true });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Result">
      <table>
        <thead>
          <tr>
            {columns.map(({ key, field, isNumber }) => (
              <th
                scope="col"
                class={isNumber ? "number" : undefined}
                title={field.description}
                aria-sort={order?.key !== key ? "none" : order.isDown ? "descending" : "ascending"}
              >
                <button type="button" onClick={() => turn(key)}>
                  {labelOf(key, field)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, limit).map((row) => (
            <tr>
              {columns.map(({ key, field, isNumber }) => (
                <td class={isNumber ? "number" : undefined}>
                  {row[key] !== undefined && <Value value={row[key]} schema={field} root={root} locale={locale} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More left={rows.length - limit} of="rows" onClick={() => setLimit(limit + portion * 5)} />
    </div>
  );
}

function compare(a: Json | undefined, b: Json | undefined, isDown: boolean): number {
  const [first, second] = isDown ? [b, a] : [a, b];
  if (typeof first === "number" && typeof second === "number") return first - second;
  return String(first ?? "").localeCompare(String(second ?? ""), undefined, { numeric: true });
}
