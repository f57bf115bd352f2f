import type { VNode } from "preact";
import { cut } from "../base/format.ts";
import { isRecord, toJson } from "../base/json.ts";
import type { Json } from "../base/json.ts";
import { usePortion } from "./portion.tsx";

const mostColumns = 30;

/** The rows of a list of objects; undefined for any other value. */
export function rowsOf(value: Json): readonly Readonly<Record<string, Json>>[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return undefined;
  return value as readonly Readonly<Record<string, Json>>[];
}

/** A list of objects as a table. */
export function DataTable({ rows }: { readonly rows: readonly Readonly<Record<string, Json>>[] }): VNode {
  const [shown, more] = usePortion(rows, 100, "rows");
  const columns = [...new Set(rows.slice(0, 500).flatMap((row) => Object.keys(row)))].slice(0, mostColumns);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Result as a table">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr>
              {columns.map((column) => (
                <td>{textOf(row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </div>
  );
}

function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return cut(typeof value === "string" ? value : toJson(value), 300);
}
