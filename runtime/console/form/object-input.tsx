import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { asRecord } from "../base/json.ts";
import type { Json, JsonRecord } from "../base/json.ts";
import { pointerOf } from "../base/pointer.ts";
import { sampleOf } from "../schema/sample.ts";
import { fieldsOf } from "../schema/schema.ts";
import { fieldId } from "./field-props.ts";
import type { FieldProps } from "./field-props.ts";
import { Field } from "./field.tsx";
import { More } from "../parts/quiet-button.tsx";
import { Required } from "../parts/notice.tsx";

/** Fields that are shown before somebody asks for more. */
const portion = 60;

/** The fields of an object. Optional ones are added by their name, so that a large type stays a small form. */
export function ObjectInput({ schema, root, value, path, onChange, problems, input }: FieldProps): VNode {
  const [limit, setLimit] = useState(portion);
  const record = asRecord(value) as JsonRecord;
  const required = new Set(schema.required);
  const fields = fieldsOf(schema);
  const shown = fields.filter(([key]) => Object.hasOwn(record, key));
  const absent = fields.filter(([key]) => !Object.hasOwn(record, key));
  const set = (key: string, next: Json): void => onChange({ ...record, [key]: next });
  const remove = (key: string): void => {
    const { [key]: _, ...rest } = record;
    onChange(rest);
  };
  return (
    <div class={path.length === 0 ? "fields" : "fields nested"} id={fieldId(pointerOf(path))}>
      {shown.slice(0, limit).map(([key, field]) => (
        <Field
          key={key}
          label={key}
          isRequired={required.has(key)}
          schema={field}
          root={root}
          value={record[key] ?? null}
          path={[...path, key]}
          onChange={(next) => set(key, next)}
          problems={problems}
          input={input}
          onRemove={required.has(key) ? undefined : () => remove(key)}
        />
      ))}
      <More left={shown.length - limit} of="fields" onClick={() => setLimit(limit + portion)} />
      {absent.length > 0 && (
        <div class="absent">
          {absent.slice(0, limit).map(([key, field]) => (
            <button
              type="button"
              class="chip"
              title={field.description}
              onClick={() => set(key, sampleOf(field, root))}
            >
              + {key}
              {required.has(key) && <Required />}
            </button>
          ))}
          <More left={absent.length - limit} of="fields" onClick={() => setLimit(limit + portion)} />
        </div>
      )}
    </div>
  );
}
