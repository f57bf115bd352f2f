import type { VNode } from "preact";
import { asRecord, type Json, type JsonRecord } from "../base/json.ts";
import { pointerOf } from "../base/pointer.ts";
import { sampleOf } from "../schema/sample.ts";
import { entryOf, fieldsOf, isRequired, type Schema } from "../schema/schema.ts";
import { fieldId, focusField } from "./field-element.ts";
import type { FieldProps } from "./field-props.ts";
import { Field } from "./field.tsx";
import { usePortion } from "../parts/portion.tsx";
import { Required } from "../parts/notice.tsx";
import { later } from "../parts/later.tsx";

const AddEntry = later(async () => (await import("./add-entry.tsx")).AddEntry);

/** Maximum number of fields that are shown before the user asks for more: of the request, and of each object in it. */
const portions = [60, 12] as const;

/**
 * Shows the fields of an object, and the entries of a map. Optional fields are added by their name, so that a large
 * type has a small form.
 */
export function ObjectInput(props: FieldProps): VNode {
  const { schema, root, value, path, give, make = sampleOf } = props;
  const record = asRecord(value) as JsonRecord;
  const fields = fieldsOf(schema);
  const entry = entryOf(schema);
  const isFree = (key: string): boolean => !Object.hasOwn(schema.properties ?? {}, key);
  const isThere = (key: string): boolean => Object.hasOwn(record, key);
  const entries = Object.keys(record).flatMap((key) => (entry && isFree(key) ? [[key, entry] as const] : []));
  const there = [...fields.filter(([key]) => isThere(key)), ...entries];
  const absent = fields.filter(([key]) => !isThere(key));
  const portion = portions[path.length > 0 ? 1 : 0];
  const [shown, moreShown] = usePortion(there, portion, "fields");
  const [offered, moreOffered] = usePortion(absent, portion, "fields");
  const set = (key: string, next: Json): void => give({ ...record, [key]: next });
  const add = (key: string, field: Schema): void => {
    set(key, make(field, root));
    focusField(pointerOf([...path, key]));
  };
  const remove = (key: string): void => {
    const { [key]: _, ...rest } = record;
    give(rest);
  };
  return (
    <div class={path.length === 0 ? "fields" : "fields nested"} id={fieldId(pointerOf(path))}>
      {shown.map(([key, field]) => (
        <Field
          {...props}
          key={key}
          label={field.title ?? key}
          name={field.title && key}
          isRequired={isRequired(schema, key)}
          schema={field}
          value={record[key] ?? null}
          path={[...path, key]}
          give={(next) => set(key, next)}
          onRemove={isRequired(schema, key) ? undefined : () => remove(key)}
        />
      ))}
      {moreShown}
      {entry !== undefined && (
        <AddEntry
          of={pointerOf(path) || "the request"}
          isFree={(key) => isFree(key) && !isThere(key)}
          add={(key) => add(key, entry)}
        />
      )}
      {absent.length > 0 && (
        <div class="absent">
          {offered.map(([key, field]) => (
            <button
              type="button"
              class="chip"
              title={[field.title && key, field.description].filter(Boolean).join(": ")}
              onClick={() => add(key, field)}
            >
              + {field.title ?? key}
              {isRequired(schema, key) && <Required />}
            </button>
          ))}
          {moreOffered}
        </div>
      )}
    </div>
  );
}
