import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { isRecord, toJson } from "../base/json.ts";
import { Choice } from "../parts/select.tsx";
import { pointerOf } from "../base/pointer.ts";
import { describeType } from "../schema/describe.ts";
import { fitOf } from "../schema/matches.ts";
import { sampleOf } from "../schema/sample.ts";
import { choicesOf, resolve, type Schema } from "../schema/schema.ts";
import type { FieldProps } from "./field-props.ts";

/** Shows an input for a value of one of several types: a choice of the type, and an input for the value. */
export function UnionInput(props: FieldProps): VNode {
  const { schema, root, value, path, give, make, input: Input } = props;
  const choices = choicesOf(schema) ?? [];
  const [chosen, setChosen] = useState(NaN);
  const typed = useRef<unknown>(null);
  const fits = choices.map((choice) => fitOf(value, choice, root));
  const most = Math.max(...fits);
  // A value of an unknown kind has no type, and is shown as JSON, also while it is corrected: the text keeps the focus.
  const isFree = most === -Infinity || (chosen < 0 && toJson(value) === toJson(typed.current));
  const best = isFree ? -1 : fits.indexOf(most);
  const own = choices[chosen];
  // The chosen type stays selected as long as its value fits, since an empty object fits several types. An input for a
  // number gives a text while that is not a number yet; a text from elsewhere, as of a saved request, is only a text.
  const kept = [value, typeof value === "string" && value === typed.current ? 0 : value];
  const isBlank = make !== undefined && value === null;
  const at = own !== undefined && (isBlank || kept.some((one) => fitOf(one, own, root) >= 0)) ? chosen : best;
  const choose = (index: number): void => {
    setChosen(index);
    // Keeps a value of no type yet that the chosen one accepts.
    if (at >= 0 || (fits[index] ?? -1) < 0) give((make ?? sampleOf)(choices[index] ?? {}, root));
  };
  return (
    <div class="union">
      <Choice
        wiring={{ "aria-label": `Type of ${pointerOf(path) || "the request"}` }}
        value={at}
        options={choices.map((choice, index) => [index, nameOf(choice, root)])}
        give={(index) => choose(Number(index))}
      />
      <Input
        {...props}
        schema={choices[at] ?? {}}
        give={(next) => {
          setChosen(at);
          typed.current = next;
          give(next);
        }}
      />
    </div>
  );
}

/** Names an alternative: by its title, else by the constant that distinguishes it, else by its type. */
function nameOf(choice: Schema, root: Schema): string {
  const at = resolve(choice, root);
  if (at.title !== undefined) return at.title;
  for (const [key, field] of Object.entries(at.properties ?? {})) {
    if (key !== "$schema" && isRecord(field) && field.const !== undefined) return String(field.const);
  }
  return describeType(choice, root);
}
