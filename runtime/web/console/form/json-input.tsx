import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { parseJson, toJson } from "../base/json.ts";
import { typed } from "../base/typed.ts";
import type { LeafProps } from "./text-input.tsx";

/** Shows an input for any JSON, as text. The value changes only when the text is valid JSON. */
export function JsonInput({ wiring, value, give }: LeafProps): VNode {
  const [text, setText] = useState(() => toJson(value, true));
  const parsed = parseJson(text);
  useEffect(() => {
    if (toJson(parsed) !== toJson(value)) setText(toJson(value, true));
  }, [value]);
  const change = (next: string): void => {
    setText(next);
    const read = parseJson(next);
    if (read !== undefined) give(read);
  };
  return (
    <>
      <textarea
        {...wiring}
        class="json"
        rows={Math.min(12, text.split("\n", 12).length + 1)}
        spellcheck={false}
        value={text}
        onInput={typed(change)}
      />
      {parsed === undefined && <span class="problem">This is not JSON yet.</span>}
    </>
  );
}
