import type { VNode } from "preact";
import type { Json } from "../base/json.ts";
import { pointerOf } from "../base/pointer.ts";
import { nextItem } from "../schema/sample.ts";
import type { Schema } from "../schema/schema.ts";
import { fieldId } from "./field-props.ts";
import type { FieldProps } from "./field-props.ts";
import { Field } from "./field.tsx";
import { usePortion } from "../parts/portion.tsx";

/** The items of a list, with those of a fixed place first. */
export function ListInput(props: FieldProps): VNode {
  const { schema, root, value, path, onChange } = props;
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  const [shown, more] = usePortion(items, 50, "items");
  const { prefixItems = [], maxItems = Infinity } = schema;
  const rest = schema.items === false ? undefined : (schema.items ?? {});
  const schemaAt = (index: number): Schema => prefixItems[index] ?? rest ?? {};
  const canAdd = items.length < maxItems && (rest !== undefined || items.length < prefixItems.length);
  return (
    <div class="fields nested" id={fieldId(pointerOf(path))}>
      {shown.map((item, index) => (
        <Field
          {...props}
          key={index}
          label={`Item ${index + 1}`}
          isRequired={false}
          schema={schemaAt(index)}
          value={item}
          path={[...path, index]}
          onChange={(next) => onChange(items.with(index, next))}
          onRemove={() => onChange(items.toSpliced(index, 1))}
        />
      ))}
      {more}
      {canAdd && (
        <button type="button" class="chip" onClick={() => onChange([...items, nextItem(schema, items, root)])}>
          + item
        </button>
      )}
    </div>
  );
}
