import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Json } from "../base/json.ts";
import { pointerOf } from "../base/pointer.ts";
import { sampleOf } from "../schema/sample.ts";
import type { Schema } from "../schema/schema.ts";
import { fieldId } from "./field-props.ts";
import type { FieldProps } from "./field-props.ts";
import { Field } from "./field.tsx";
import { More } from "../parts/quiet-button.tsx";

const portion = 50;

/** The items of a list, with those of a fixed place first. */
export function ListInput({ schema, root, value, path, onChange, problems, input }: FieldProps): VNode {
  const [limit, setLimit] = useState(portion);
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  const { prefixItems = [], maxItems = Infinity } = schema;
  const rest = schema.items === false ? undefined : (schema.items ?? {});
  const schemaAt = (index: number): Schema => prefixItems[index] ?? rest ?? {};
  const replace = (index: number, next: Json): void => onChange(items.with(index, next));
  const canAdd = items.length < maxItems && (rest !== undefined || items.length < prefixItems.length);
  return (
    <div class="fields nested" id={fieldId(pointerOf(path))}>
      {items.slice(0, limit).map((item, index) => (
        <Field
          key={index}
          label={`Item ${index + 1}`}
          isRequired={false}
          schema={schemaAt(index)}
          root={root}
          value={item}
          path={[...path, index]}
          onChange={(next) => replace(index, next)}
          problems={problems}
          input={input}
          onRemove={() => onChange(items.toSpliced(index, 1))}
        />
      ))}
      <More left={items.length - limit} of="items" onClick={() => setLimit(limit + portion)} />
      {canAdd && (
        <button type="button" class="chip" onClick={() => onChange([...items, sampleOf(schemaAt(items.length), root)])}>
          + item
        </button>
      )}
    </div>
  );
}
