import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { pointerOf } from "../base/pointer.ts";
import { choicesOf, hasFields, itemOf, literalsOf, resolve, typeOf, typesOf } from "../schema/schema.ts";
import { fieldId, focusField, hintId } from "./field-element.ts";
import type { FieldProps } from "./field-props.ts";
import { ObjectInput } from "./object-input.tsx";
import { NumberInput, TextInput, type LeafProps } from "./text-input.tsx";
import { Choice } from "../parts/select.tsx";
import { parseJson, toJson, type Json } from "../base/json.ts";
import { later } from "../parts/later.tsx";
import { nextItem } from "../schema/sample.ts";
import { Field } from "./field.tsx";
import { usePortion } from "../parts/portion.tsx";

const BytesInput = later(async () => (await import("./bytes-input.tsx")).BytesInput);
const JsonInput = later(async () => (await import("./json-input.tsx")).JsonInput);
const UnionInput = later(async () => (await import("./union-input.tsx")).UnionInput);

/** Shows the input element for a value, by its schema. */
export function Input(props: FieldProps): VNode {
  const { schema, root, value, path, give, problems } = props;
  const at = resolve(schema, root);
  const own = { ...props, schema: at };
  const pointer = pointerOf(path);
  const wiring = {
    id: fieldId(pointer),
    "aria-describedby": hintId(pointer),
    "aria-invalid": problems.has(pointer),
  };
  const leaf = { wiring, value, give };
  const isGiven = value !== undefined && value !== null;
  if (at.const !== undefined && (!isGiven || isSame(at.const, value)))
    return <output id={wiring.id}>{toJson(at.const)}</output>;
  const literals = literalsOf(at, root);
  if (literals !== undefined) {
    return (
      <Choice
        wiring={wiring}
        value={literals.findIndex(([item]) => isSame(item, value))}
        options={literals.map(([, name], index) => [index, name])}
        give={(index) => give(literals[Number(index)]?.[0] ?? null)}
      />
    );
  }
  if (choicesOf(at) !== undefined) return <UnionInput {...own} />;
  const [type = ""] = typesOf(at);
  // Shows what a link has as it is: an empty form or an unticked box would hide it.
  if (isGiven && /^(?:object|array|boolean|null)$/.test(type) && type !== typeOf(value)) return <JsonInput {...leaf} />;
  switch (type) {
    case "object":
      return hasFields(at) ? <ObjectInput {...own} /> : <JsonInput {...leaf} />;
    case "array":
      return <ListInput {...own} />;
    case "boolean":
      return <BooleanInput {...leaf} />;
    case "number":
    case "integer":
      return <NumberInput {...leaf} />;
    case "null":
      return <output id={wiring.id}>null</output>;
    case "string":
      if (at.contentEncoding !== undefined) return <BytesInput {...leaf} />;
      return <TextInput {...leaf} schema={at} />;
    default:
      return <JsonInput {...leaf} />;
  }
}

function isSame(one: unknown, other: Json): boolean {
  return toJson(one) === toJson(other);
}

/** Shows a box to tick, or a choice if the field began without a value: an empty box would be a value. */
function BooleanInput({ wiring, value, give }: LeafProps): VNode {
  const [isChosen] = useState(typeof value !== "boolean");
  return isChosen ? (
    <Choice
      wiring={wiring}
      value={toJson(value)}
      options={["null", "true", "false"].map((one) => [one, one === "null" ? "choose" : one])}
      give={(one) => give(parseJson(one) ?? null)}
    />
  ) : (
    <input
      type="checkbox"
      {...wiring}
      checked={value === true}
      onInput={(event) => give(event.currentTarget.checked)}
    />
  );
}

/** Shows the items of a list; the elements of a tuple come first. */
function ListInput(props: FieldProps): VNode {
  const { schema, root, value, path, give, make } = props;
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  const [shown, more] = usePortion(items, 50, "items");
  const { prefixItems = [], minItems = 0, maxItems = Infinity } = schema;
  const next = (): Json =>
    make === undefined ? nextItem(schema, items, root) : make(itemOf(schema, items.length), root);
  const add = (): void => {
    give([...items, next()]);
    focusField(pointerOf([...path, items.length]));
  };
  const canAdd = items.length < maxItems && (schema.items !== false || items.length < prefixItems.length);
  return (
    <div class="fields nested" id={fieldId(pointerOf(path))}>
      {shown.map((item, index) => (
        <Field
          {...props}
          key={index}
          label={prefixItems[index]?.title ?? `Item ${index + 1}`}
          isRequired={false}
          schema={itemOf(schema, index)}
          value={item}
          path={[...path, index]}
          give={(next) => give(items.with(index, next))}
          // Of the elements of a tuple, only an optional one at its end can be left out.
          onRemove={
            index >= prefixItems.length || (index >= minItems && index === items.length - 1)
              ? () => give(items.toSpliced(index, 1))
              : undefined
          }
        />
      ))}
      {more}
      {canAdd && (
        <button type="button" class="chip" onClick={add}>
          + item
        </button>
      )}
    </div>
  );
}
