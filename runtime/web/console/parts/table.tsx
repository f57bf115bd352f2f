import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { cut } from "../base/format.ts";
import { toJson, type Json } from "../base/json.ts";
import type { Rows } from "./rows.ts";
import { useWindow } from "./use-window.ts";

interface TableProps {
  readonly rows: Rows;
  /** Shows a value of a column. */
  readonly cell: (value: Json, key: string) => VNode;
  /** Returns the label and the hint of a column; default: its key. */
  readonly head?: (key: string) => readonly [label: string, hint: string | undefined];
}

interface Order {
  readonly key: string;
  readonly isDown: boolean;
}

const mostColumns = 30;
/** Maximum number of rows of a table that is rendered completely. */
const mostRows = 100;
/** Height in pixels of a row in a longer table. */
const rowHeight = 33;

/**
 * Shows a list of objects as a table that can be sorted by any column. In a long table, only visible rows are rendered.
 */
export function Table({ rows: given, cell, head = (key) => [key, undefined] }: TableProps): VNode {
  // A row without a column must not show what all objects inherit, such as `constructor`.
  const rows = useMemo(() => given.map((row) => ({ __proto__: null, ...row }) as typeof row), [given]);
  const { box, onScroll, first, last } = useWindow(rows.length, rowHeight);
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const isLong = rows.length > mostRows;
  const count = `${rows.length} row${rows.length > 1 ? "s" : ""}`;
  // Rows are looked through once, not in every frame of scrolling.
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const sorted = useMemo(
    () => (order === undefined ? rows : rows.toSorted((a, b) => compare(a[order.key], b[order.key], order.isDown))),
    [rows, order],
  );
  const turn = (key: string): void =>
    setOrder(order?.key !== key ? { key, isDown: false } : order.isDown ? undefined : { key, isDown: true });
  const gap = (count: number): VNode | false => isLong && <tr style={{ height: `${count * rowHeight}px` }} />;
  return (
    <div class="scroll" ref={box} tabIndex={0} role="group" aria-label={count} onScroll={onScroll}>
      <table
        class={isLong ? "long" : undefined}
        style={isLong ? `min-width:${columns.length * 13}rem` : undefined}
        aria-rowcount={rows.length + 1}
      >
        <caption>{count}</caption>
        <thead>
          <tr>
            {columns.map(({ key, kind }) => {
              const [label, hint] = head(key);
              return (
                <th
                  scope="col"
                  class={kind}
                  title={hint}
                  aria-sort={order?.key !== key ? undefined : order.isDown ? "descending" : "ascending"}
                >
                  <button type="button" onClick={() => turn(key)}>
                    {label}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {gap(first)}
          {(isLong ? sorted.slice(first, last) : sorted).map((row, index) => (
            <tr aria-rowindex={isLong ? first + index + 2 : undefined}>
              {columns.map(({ key, kind }) => {
                const value = row[key];
                if (value === undefined) return <td />;
                return <td class={kind}>{(isLong ? lineOf(value) : undefined) ?? cell(value, key)}</td>;
              })}
            </tr>
          ))}
          {gap(rows.length - last)}
        </tbody>
      </table>
    </div>
  );
}

function columnsOf(rows: Rows): readonly { readonly key: string; readonly kind: string | undefined }[] {
  const keys = [...new Set(rows.slice(0, 500).flatMap((row) => Object.keys(row)))].filter((key) => key !== "$schema");
  return keys.slice(0, mostColumns).map((key) => ({
    key,
    kind: rows.every((row) => row[key] === undefined || typeof row[key] === "number") ? "number" : undefined,
  }));
}

/** Shortens a value that would not fit into a row to one line; undefined for any other value. */
function lineOf(value: Json): string | undefined {
  const text = typeof value === "string" ? value : typeof value === "object" ? toJson(value) : "";
  return typeof value === "object" || text.length > 100 || text.includes("\n") ? cut(text, 100) : undefined;
}

function compare(a: Json | undefined, b: Json | undefined, isDown: boolean): number {
  const [first, second] = isDown ? [b, a] : [a, b];
  if (typeof first === "number" && typeof second === "number") return first - second;
  return String(first ?? "").localeCompare(String(second ?? ""), undefined, { numeric: true });
}
