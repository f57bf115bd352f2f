import type { VNode } from "preact";
import { asRecord, type Json, type JsonRecord } from "../base/json.ts";
import { pointerOf } from "../base/pointer.ts";
import { sampleOf } from "../schema/sample.ts";
import { entryOf, fieldsOf, isRequired } from "../schema/schema.ts";
import { fieldId } from "./field-element.ts";
import type { FieldProps } from "./field-props.ts";
import { Field } from "./field.tsx";
import { usePortion } from "../parts/portion.tsx";
import { Required } from "../parts/notice.tsx";
import { useState } from "preact/hooks";
import { typed } from "../base/typed.ts";
import { entered } from "../base/entered.ts";

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
          add={(key) => set(key, make(entry, root))}
        />
      )}
      {absent.length > 0 && (
        <div class="absent">
          {offered.map(([key, field]) => (
            <button
              type="button"
              class="chip"
              title={[field.title && key, field.description].filter(Boolean).join(": ")}
              onClick={() => set(key, make(field, root))}
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

interface AddEntryProps {
  /** Name of the map. */
  readonly of: string;
  /** True for a key that the map allows and does not contain yet. */
  readonly isFree: (key: string) => boolean;
  readonly add: (key: string) => void;
}

/** Shows an input for a key, and the button that adds an entry with that key to a map. */
function AddEntry({ of, isFree, add }: AddEntryProps): VNode {
  const [key, setKey] = useState("");
  const isRefused = key === "" || !isFree(key);
  const submit = (): void => {
    if (isRefused) return;
    add(key);
    setKey("");
  };
  return (
    <div class="row">
      <input
        type="text"
        placeholder="key"
        aria-label={`New key of ${of}`}
        value={key}
        onInput={typed(setKey)}
        onKeyDown={entered(submit)}
      />
      <button type="button" class="chip" disabled={isRefused} onClick={submit}>
        + entry
      </button>
    </div>
  );
}
