import type { VNode } from "preact";
import type { Json } from "../base/json.ts";
import type { Path } from "../base/pointer.ts";
import type { Schema } from "../schema/schema.ts";

/** Properties of every field of a form. */
export interface FieldProps {
  readonly schema: Schema;
  /** The schema that contains the definitions. */
  readonly root: Schema;
  readonly value: Json;
  readonly path: Path;
  readonly give: (value: Json) => void;
  /** The component for any value; passed down, since a value may contain values of its own type. */
  readonly input: (props: FieldProps) => VNode;
  /** Makes the value of a field or an item that is added; default: a sample. */
  readonly make?: (schema: Schema, root: Schema) => Json;
  /** Problems of the last answer, by JSON Pointer. */
  readonly problems: ReadonlyMap<string, string>;
}
