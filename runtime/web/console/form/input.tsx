import type { VNode } from "preact";
import { pointerOf } from "../base/pointer.ts";
import { choicesOf, entryOf, fieldsOf, resolve, typesOf } from "../schema/schema.ts";
import { BytesInput } from "./bytes-input.tsx";
import { fieldId, hintId } from "./field-props.ts";
import type { FieldProps } from "./field-props.ts";
import { JsonInput } from "./json-input.tsx";
import { ListInput } from "./list-input.tsx";
import { ObjectInput } from "./object-input.tsx";
import { NumberInput, TextInput } from "./text-input.tsx";
import { UnionInput } from "./union-input.tsx";
import { Choice } from "../parts/select.tsx";
import { toJson } from "../base/json.ts";

/** The element that a value is entered with, by its schema. */
export function Input(props: FieldProps): VNode {
  const { schema, root, value, path, onChange, problems } = props;
  const at = resolve(schema, root);
  const own = { ...props, schema: at };
  const pointer = pointerOf(path);
  const wiring = {
    id: fieldId(pointer),
    "aria-describedby": hintId(pointer),
    "aria-invalid": problems.has(pointer),
  };
  const leaf = { wiring, value, onChange };
  if (at.const !== undefined) return <output id={wiring.id}>{toJson(at.const)}</output>;
  if (at.enum !== undefined) {
    const values = at.enum;
    const chosen = values.findIndex((item) => toJson(item) === toJson(value));
    return (
      <Choice
        wiring={wiring}
        value={chosen}
        options={[
          ...(chosen < 0 ? [[-1, "choose"] as const] : []),
          ...values.map((item, index) => [index, typeof item === "string" ? item : toJson(item)] as const),
        ]}
        onChange={(index) => onChange(values[Number(index)] ?? null)}
      />
    );
  }
  if (choicesOf(at) !== undefined) return <UnionInput {...own} />;
  switch (typesOf(at)[0]) {
    case "object":
      return fieldsOf(at).length > 0 || entryOf(at) !== undefined ? <ObjectInput {...own} /> : <JsonInput {...leaf} />;
    case "array":
      return <ListInput {...own} />;
    case "boolean":
      return (
        <input
          type="checkbox"
          {...wiring}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
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
