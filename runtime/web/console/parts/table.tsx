import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { cut } from "../base/format.ts";
import { toJson, type Json } from "../base/json.ts";
import { usePortion } from "./portion.tsx";
import { Quiet } from "./quiet-button.tsx";
import type { Rows } from "./rows.ts";
import { useWindow } from "./use-window.ts";

interface TableProps {
  readonly rows: Rows;
  /** Shows a value of a column. `open`: number of levels of an object that are open; default 0. */
  readonly cell: (value: Json, key: string, open?: number) => VNode;
  /** Returns the label and the hint of a column, and whether its texts are integers; default: its key. */
  readonly head?: (key: string) => readonly [label: string, hint: string | undefined, isInteger?: boolean];
}

interface Order {
  readonly key: string;
  readonly isDown: boolean;
}

interface Column {
  readonly key: string;
  readonly kind: "number" | undefined;
  /** Width in a table with rows of one height, in digits. */
  readonly width: number;
}

/** Maximum number of columns that are shown at first. */
const mostColumns = 30;
/** Maximum number of rows of a table that is rendered completely. */
const mostRows = 100;
/** Height in pixels of a row in a longer table. */
const rowHeight = 33;
/** Maximum characters of a text that is shown whole on one line; without spaces, such as an id, of a longer one. */
const [shortText, shortWord] = [24, 40];
/** Digits that the padding of a cell takes. */
const padding = 4;

/**
 * Shows a list of objects as a table that can be sorted by any column. In a long table, only visible rows are rendered,
 * each as one line, and a value that is cut opens below the table.
 */
export function Table({ rows: given, cell, head = (key) => [key, undefined] }: TableProps): VNode {
  // A row without a column must not show what all objects inherit, such as `constructor`.
  const rows = useMemo(() => given.map((row) => ({ __proto__: null, ...row }) as typeof row), [given]);
  const { box, onScroll, first, last } = useWindow(rows.length, rowHeight);
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const [opened, open] = useState<{ readonly of: Rows; readonly key: string; readonly value: Json } | undefined>();
  const isLong = rows.length > mostRows;
  const count = `${rows.length} row${rows.length > 1 ? "s" : ""}`;
  // Rows are looked through once, not in every frame of scrolling.
  const keys = useMemo(() => keysOf(rows), [rows]);
  const [shown, more] = usePortion(keys, mostColumns, "columns");
  const columns = useMemo(() => shown.map((key) => columnOf(rows, key, head(key))), [keys, shown.length]);
  const sorted = useMemo(
    () =>
      order === undefined
        ? rows
        : rows.toSorted((a, b) => compare(a[order.key], b[order.key], order.isDown, head(order.key)[2])),
    [rows, order],
  );
  const turn = (key: string): void =>
    setOrder((last) => (last?.key !== key ? { key, isDown: false } : last.isDown ? undefined : { key, isDown: true }));
  const gap = (count: number): VNode | false => isLong && <tr style={{ height: `${count * rowHeight}px` }} />;
  const show = (value: Json, key: string): VNode => {
    const line = isLong ? lineOf(value) : undefined;
    if (line === undefined) return cell(value, key);
    return <Quiet press={() => open({ of: rows, key, value })}>{line}</Quiet>;
  };
  return (
    <>
      <div class="scroll" ref={box} tabIndex={0} role="group" aria-label={count} onScroll={onScroll}>
        <table
          class={isLong ? "long" : undefined}
          style={isLong ? `min-width:${columns.reduce((sum, { width }) => sum + width, 0)}ch` : undefined}
          aria-rowcount={rows.length + 1}
        >
          <caption>{count}</caption>
          {isLong && (
            <colgroup>
              {columns.map(({ width }) => (
                <col style={`width:${width}ch`} />
              ))}
            </colgroup>
          )}
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
                  return value === undefined ? <td /> : <td class={kind ?? classOf(value)}>{show(value, key)}</td>;
                })}
              </tr>
            ))}
            {gap(rows.length - last)}
          </tbody>
        </table>
      </div>
      {more}
      {opened?.of === rows && (
        <div class="opened" ref={showBelow}>
          <code>{opened.key}</code>{" "}
          <Quiet label="Close" press={() => open(undefined)}>
            ✕
          </Quiet>
          <div>{cell(opened.value, opened.key, 2)}</div>
        </div>
      )}
    </>
  );
}

function showBelow(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** The keys of all rows. */
function keysOf(rows: Rows): readonly string[] {
  const keys = new Set<string>();
  for (const row of rows) for (const key in row) keys.add(key);
  keys.delete("$schema");
  return [...keys];
}

/** Describes a column by its values and its head. */
function columnOf(rows: Rows, key: string, [label, , isInteger]: readonly [string, unknown, boolean?]): Column {
  const values = rows.map((row) => row[key]).filter((value) => value !== undefined);
  const widths = values.map((value) => (typeof value === "object" ? shortText : String(value).length));
  return {
    key,
    kind: isInteger || values.every((value) => typeof value === "number") ? "number" : undefined,
    width:
      Math.min(
        shortWord,
        widths.reduce((most, one) => Math.max(most, one), label.length + 2),
      ) + padding,
  };
}

/** Class of a cell: a short text stays on one line, a longer one has room for some words in each line. */
function classOf(value: Json): string | undefined {
  if (typeof value !== "string") return undefined;
  return isShort(value) ? "short" : "prose";
}

function isShort(text: string): boolean {
  return text.length <= (/\s/.test(text) ? shortText : shortWord);
}

/** Shortens a value that would not fit into a row to one line; undefined for any other value. */
function lineOf(value: Json): string | undefined {
  if (typeof value === "object") return value === null ? undefined : cut(toJson(value), 100);
  return typeof value === "string" && !(isShort(value) && !value.includes("\n")) ? cut(value, 100) : undefined;
}

function compare(a: Json | undefined, b: Json | undefined, isDown: boolean, isInteger: boolean | undefined): number {
  // An integer in a text may have more digits than a number.
  const [first, second] = (isDown ? [b, a] : [a, b]).map((value) =>
    isInteger && typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : value,
  );
  if (isCounted(first) && isCounted(second)) return Number(first > second) - Number(first < second);
  return String(first ?? "").localeCompare(String(second ?? ""), undefined, { numeric: true });
}

function isCounted(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
