import { useState } from "preact/hooks";
import type { Json } from "../base/json.ts";
import type { Path } from "../base/pointer.ts";
import type { Schema } from "../schema/schema.ts";
import { unfitParts } from "../schema/unfit.ts";
import { focusField } from "./field-element.ts";

const none: ReadonlyMap<string, string> = new Map();

/**
 * Problems of the value of a form, and a function that looks for them and is true if there are none. Otherwise it moves
 * the cursor to the first. For a form whose value a job takes: the job would go on without a correct one, or fail.
 */
export function useChecked(
  schema: Schema,
  path: Path,
): readonly [problems: ReadonlyMap<string, string>, fits: (value: Json) => boolean] {
  const [problems, setProblems] = useState(none);
  const fits = (value: Json): boolean => {
    const found = unfitParts(value, schema, schema, path);
    setProblems(found);
    const [first] = found.keys();
    if (first !== undefined) focusField(first);
    return first === undefined;
  };
  return [problems, fits];
}
