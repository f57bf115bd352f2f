import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { typed } from "../base/typed.ts";

interface AddEntryProps {
  /** Names the map. */
  readonly of: string;
  /** True for a key that the map takes and does not have yet. */
  readonly isFree: (key: string) => boolean;
  readonly add: (key: string) => void;
}

/** A key and the button that adds an entry with it to a map. */
export function AddEntry({ of, isFree, add }: AddEntryProps): VNode {
  const [key, setKey] = useState("");
  const isRefused = key === "" || !isFree(key);
  const submit = (): void => {
    add(key);
    setKey("");
  };
  // Enter would send the form.
  const enter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (!isRefused) submit();
  };
  return (
    <div class="row">
      <input
        type="text"
        placeholder="key"
        aria-label={`New key of ${of}`}
        value={key}
        onInput={typed(setKey)}
        onKeyDown={enter}
      />
      <button type="button" class="chip" disabled={isRefused} onClick={submit}>
        + entry
      </button>
    </div>
  );
}
