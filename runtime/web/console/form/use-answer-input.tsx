import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Json } from "../base/json.ts";
import { pointerOf, type Path } from "../base/pointer.ts";
import { blankOf } from "../schema/blank.ts";
import type { Schema } from "../schema/schema.ts";
import { unfitParts } from "../schema/unfit.ts";
import { focusField } from "./field-element.ts";
import { Input } from "./input.tsx";

const none: ReadonlyMap<string, string> = new Map();

/**
 * The input for a value that a job waits for, and a function that looks for its problems and is true if there are none.
 * Otherwise it moves the cursor to the first. The job goes on with any valid value, so nothing is filled in that its
 * user has not chosen, also not where a field is added.
 */
export function useAnswerInput(
  schema: Schema,
  path: Path,
  value: Json,
  give: (value: Json) => void,
): readonly [input: VNode, fits: () => boolean] {
  const [problems, setProblems] = useState(none);
  const fits = (): boolean => {
    const found = unfitParts(value, schema, schema, path);
    setProblems(found);
    const [first] = found.keys();
    if (first !== undefined) focusField(first);
    return first === undefined;
  };
  const change = (next: Json): void => {
    if (problems.size > 0) setProblems(unfitParts(next, schema, schema, path));
    give(next);
  };
  const shared = { schema, root: schema, value, path, give: change, problems, make: blankOf };
  const input = (
    <>
      <Input {...shared} input={Input} />
      {/* The whole value has no field around it. */}
      <p class="problem" role="alert">
        {problems.get(pointerOf(path))}
      </p>
    </>
  );
  return [input, fits];
}
