import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { toJson } from "../base/json.ts";
import type { Json } from "../base/json.ts";
import { useLongText } from "./long-text.tsx";
import { usePortion } from "./portion.tsx";
import { Dim } from "./notice.tsx";

/** Characters of a text that are shown at once. */
const longestText = 2000;

interface TreeProps {
  readonly value: Json;
  readonly name?: string | undefined;
  /** Levels that are open at first. */
  readonly open?: number;
}

/** A value of JSON as a tree whose branches open and close. */
export function JsonTree({ value, name, open = 2 }: TreeProps): VNode {
  const isBranch = typeof value === "object" && value !== null;
  const entries = Object.entries(isBranch ? value : {}) as readonly (readonly [string, Json])[];
  const [shown, more] = usePortion(entries, 100, "entries");
  const [isOpen, setOpen] = useState(open > 0);
  const label = name === undefined ? undefined : <span class="key">{name}</span>;
  if (!isBranch) {
    return (
      <div class="leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const summary = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <Dim>{summary}</Dim>
      </summary>
      {isOpen && (
        <div class="branch">
          {shown.map(([key, item]) => (
            <JsonTree key={key} name={key} value={item} open={open - 1} />
          ))}
          {more}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { readonly value: Json }): VNode {
  const text = String(value);
  const [shown, rest] = useLongText(text, longestText);
  return (
    <span class={`value ${value === null ? "null" : typeof value}`}>
      {typeof value === "string" ? toJson(shown) : text}
      {rest}
    </span>
  );
}
