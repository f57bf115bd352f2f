import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { entered } from "../base/entered.ts";
import { typed } from "../base/typed.ts";

interface AddEntryProps {
  /** Name of the map. */
  readonly of: string;
  /** True for a key that the map allows and does not contain yet. */
  readonly isFree: (key: string) => boolean;
  readonly add: (key: string) => void;
}

/** Shows an input for a key, and the button that adds an entry with that key to a map. */
export function AddEntry({ of, isFree, add }: AddEntryProps): VNode {
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
