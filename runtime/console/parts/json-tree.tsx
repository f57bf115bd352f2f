import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { cut } from "../base/format.ts";
import { isRecord, toJson } from "../base/json.ts";
import type { Json } from "../base/json.ts";
import { More, Quiet } from "./quiet-button.tsx";
import { Dim } from "./notice.tsx";

/** Entries of one level that are shown before somebody asks for more. */
const portion = 100;
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
  const [limit, setLimit] = useState(portion);
  const [isOpen, setOpen] = useState(open > 0);
  const label = name === undefined ? undefined : <span class="key">{name}</span>;
  if (typeof value !== "object" || value === null || (!Array.isArray(value) && !isRecord(value))) {
    return (
      <div class="leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  const summary = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <Dim>{summary}</Dim>
      </summary>
      {isOpen ? (
        <div class="branch">
          {entries.slice(0, limit).map(([key, item]) => (
            <JsonTree key={key} name={key} value={item} open={open - 1} />
          ))}
          <More left={entries.length - limit} of="entries" onClick={() => setLimit(limit + portion * 5)} />
        </div>
      ) : undefined}
    </details>
  );
}

function Leaf({ value }: { readonly value: Json }): VNode {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== "string")
    return <span class={`value ${value === null ? "null" : typeof value}`}>{String(value)}</span>;
  return (
    <span class="value string">
      {toJson(isWhole ? value : cut(value, longestText))}
      {value.length > longestText && !isWhole && (
        <Quiet onClick={() => setWhole(true)}>all {value.length} characters</Quiet>
      )}
    </span>
  );
}
