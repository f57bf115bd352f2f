import type { VNode } from "preact";
import { toJson, type Json } from "../base/json.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import { later } from "../parts/later.tsx";
import { linked } from "../parts/linked.tsx";
import { plainsOf } from "../parts/plains.ts";
import { formatted } from "../parts/prose.tsx";
import { rowsOf } from "../parts/rows.ts";
import { timeOf } from "../parts/time.tsx";
import { partSchema } from "../schema/part-schema.ts";
import type { Schema } from "../schema/schema.ts";

const PlainList = later(async () => (await import("../parts/plain-list.tsx")).PlainList);
const Table = later(async () => (await import("../parts/table.tsx")).Table);

/** Maximum characters of a text whose addresses are links. */
const longestLinked = 2000;

interface ResultTreeProps {
  readonly value: Json;
  /** Schema of the value, whose titles stand in place of names. */
  readonly schema: Schema | undefined;
  /** Schema into which references lead; default: `schema`. */
  readonly root?: Schema;
  /** Number of levels that are open at first. */
  readonly open?: number;
}

/**
 * Shows a JSON result: lists of objects as tables, long lists of texts or numbers by rows, times with their zone,
 * Markdown formatted, addresses as links, SVG as a picture, everything else as a tree.
 */
export function ResultTree({ value, schema = {}, root = schema, open = 2 }: ResultTreeProps): VNode {
  const partAt = (path: readonly string[]): Schema => {
    let at = schema;
    let part: Json | undefined = value;
    for (const key of path) {
      at = partSchema(at, key, root, part);
      part = (part as Readonly<Record<string, Json>> | undefined)?.[key];
    }
    return at;
  };
  const show = (one: Json, path: readonly string[]): VNode | undefined => {
    const rows = rowsOf(one);
    if (rows === undefined) return showPlain(one);
    const item = partAt([...path, "0"]);
    return (
      <Table
        rows={rows}
        head={(key) => {
          const { title, description, $comment, anyOf } = partSchema(item, key, root);
          const hint = [title && key, description].filter(Boolean).join(": ");
          return [title ?? key, hint || undefined, toJson([$comment, anyOf]).includes('"integer as a')];
        }}
        cell={(part, key, open = 0) =>
          typeof part === "object" && part !== null ? (
            <ResultTree value={part} schema={partSchema(item, key, root)} root={root} open={open} />
          ) : (
            (showPlain(part) ?? <>{String(part)}</>)
          )
        }
      />
    );
  };
  return <JsonTree value={value} show={show} titleOf={(path) => partAt(path).title} open={open} />;
}

function showPlain(value: Json): VNode | undefined {
  const values = plainsOf(value);
  if (values !== undefined) return <PlainList values={values} />;
  if (typeof value !== "string") return undefined;
  const format = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)$/.test(value) ? "date-time" : undefined;
  const parts = value.length > longestLinked ? undefined : linked(value);
  return timeOf(value, format) ?? formatted(value) ?? (parts && <bdi class="linked">{parts}</bdi>);
}
