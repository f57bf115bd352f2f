import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { isRecord, type Json } from "../console/base/json.ts";
import { rowsOf, type Rows } from "../console/parts/rows.ts";
import { Table } from "../console/parts/table.tsx";
import { More } from "../console/parts/quiet-button.tsx";
import { partSchema } from "../console/schema/part-schema.ts";
import { labelOf } from "./labels.ts";
import { resolve, type Schema } from "../console/schema/schema.ts";
import { Chart } from "./chart.tsx";
import { chartOf } from "./chart-data.ts";
import { isScalar, Value, type ValueProps } from "./value.tsx";

/** Number of list items that are shown before the user asks for more. */
const portion = 50;
/** Number of fields that are shown before the user asks for more. */
const mostFields = 200;
/** Levels of lists and objects that are laid out; deeper ones are a tree, of which only open branches are rendered. */
const deepest = 8;

/** Shows a whole result. */
export function Result({ schema, ...props }: Omit<ValueProps, "root">): VNode {
  if (isScalar(props.value))
    return (
      <p class="single">
        <Value {...props} schema={resolve(schema, schema)} root={schema} />
      </p>
    );
  return (
    <div class="whole">
      <Part {...props} schema={schema} root={schema} depth={0} />
    </div>
  );
}

interface PartProps extends ValueProps {
  /** Number of lists and objects around the value. */
  readonly depth: number;
}

function Part(props: PartProps): VNode {
  const { value, root } = props;
  const rows = useMemo(() => rowsOf(value)?.map(withoutMembers), [value]);
  if (props.depth >= deepest) return <Value {...props} />;
  const schema = resolve(props.schema, root);
  const chart = chartOf(value, schema, root);
  const row = partSchema(schema, "0", root);
  const fieldOf = (key: string): Schema => partSchema(row, key, root);
  if (rows !== undefined)
    return (
      <>
        {chart !== undefined && <Chart {...chart} locale={props.locale} />}
        <Table
          rows={rows}
          head={(key) => [labelOf(key, fieldOf(key)), fieldOf(key).description]}
          cell={(one, key) => <Value value={one} schema={fieldOf(key)} root={root} locale={props.locale} />}
        />
      </>
    );
  if (Array.isArray(value)) return <List {...props} value={value as readonly Json[]} schema={schema} chart={chart} />;
  if (isRecord(value)) return <Fields {...props} schema={schema} />;
  return <Value {...props} schema={schema} />;
}

/** The same row without the members of all objects: another row may have fields of their names. */
function withoutMembers(row: Rows[number]): Rows[number] {
  return Object.assign(Object.create(null) as object, row);
}

function List({
  value,
  schema,
  chart,
  root,
  locale,
  depth,
}: Omit<PartProps, "value"> & { readonly value: readonly Json[]; readonly chart: ReturnType<typeof chartOf> }): VNode {
  const [limit, setLimit] = useState(portion);
  if (value.length === 0) return <p class="quiet">Nothing was found.</p>;
  return (
    <>
      {chart !== undefined && <Chart {...chart} locale={locale} />}
      <ol class={value.every(isScalar) ? "chips" : "parts"}>
        {value.slice(0, limit).map((item, index) => (
          <li>
            <Part
              value={item}
              schema={partSchema(schema, String(index), root)}
              root={root}
              locale={locale}
              depth={depth + 1}
            />
          </li>
        ))}
      </ol>
      <More left={value.length - limit} of="values" press={() => setLimit(limit + portion * 10)} />
    </>
  );
}

function Fields({ value, schema, root, locale, depth }: PartProps): VNode {
  const [limit, setLimit] = useState(mostFields);
  const all = Object.entries(value as Readonly<Record<string, Json>>).filter(([key]) => key !== "$schema");
  const entries = all.slice(0, limit);
  const [short, long] = [entries.filter(([, one]) => isScalar(one)), entries.filter(([, one]) => !isScalar(one))];
  return (
    <>
      {short.length > 0 && (
        <dl>
          {short.map(([key, one]) => {
            const field = partSchema(schema, key, root);
            return (
              <div title={field.description}>
                <dt>{labelOf(key, field)}</dt>
                <dd>
                  <Value value={one} schema={field} root={root} locale={locale} />
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      {long.map(([key, one]) => {
        const field = partSchema(schema, key, root);
        return (
          <section aria-label={labelOf(key, field)} title={field.description}>
            <h2>{labelOf(key, field)}</h2>
            <Part value={one} schema={field} root={root} locale={locale} depth={depth + 1} />
          </section>
        );
      })}
      <More left={all.length - limit} of="fields" press={() => setLimit(limit + mostFields * 5)} />
    </>
  );
}
