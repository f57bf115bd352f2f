import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { cut } from "../base/format.ts";
import { isRecord, toJson, type Json } from "../base/json.ts";
import { useLongText } from "./long-text.tsx";
import { usePortion } from "./portion.tsx";
import { Dim } from "./notice.tsx";

/** Maximum characters of a text that are shown at first. */
const longestText = 2000;

/**
 * Shows a value in a special way; undefined: the tree shows it.
 *
 * @param path Keys that lead to the value
 */
export type ShowValue = (value: Json, path: readonly string[]) => VNode | undefined;

interface TreeProps {
  readonly value: Json;
  readonly name?: string | undefined;
  /** Shows values in special ways; `$schema` is then left out, as in tables. */
  readonly show?: ShowValue | undefined;
  /** Returns the title of a field; undefined: its name is shown. */
  readonly titleOf?: ((path: readonly string[]) => string | undefined) | undefined;
  /** Name of the field, if `name` is a title. */
  readonly hint?: string | undefined;
  /** Number of levels that are open at first. */
  readonly open?: number;
  readonly path?: readonly string[];
}

/** Shows a JSON value as a tree whose branches can be opened and closed. */
export function JsonTree({ value, name, hint, show, titleOf, open = 2, path = [] }: TreeProps): VNode {
  const isBranch = typeof value === "object" && value !== null;
  const entries = (Object.entries(isBranch ? value : {}) as readonly (readonly [string, Json])[]).filter(
    ([key]) => show === undefined || key !== "$schema",
  );
  const [shown, more] = usePortion(entries, 100, "entries");
  const [isOpen, setOpen] = useState(open > 0);
  // An isolated text does not turn what stands beside it, whatever characters of direction it has.
  const label =
    name === undefined ? undefined : (
      <bdi class="key" title={hint}>
        {name}
      </bdi>
    );
  const own = show?.(value, path);
  // A list that begins closed, as in a cell of a table, is a branch even if it is shown in a special way.
  const isFolded = open <= 0 && path.length === 0;
  if (!isBranch || (own !== undefined && !isFolded)) {
    return (
      <div class="leaf">
        {label}
        {own ?? <Leaf value={value} />}
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
      {isOpen &&
        (own ?? (
          <div class="branch">
            {shown.map(([key, item]) => {
              const inner = [...path, key];
              const title = Array.isArray(value) ? undefined : titleOf?.(inner);
              return (
                <JsonTree
                  key={key}
                  name={title ?? nameOf(key, item)}
                  hint={title && key}
                  value={item}
                  show={show}
                  titleOf={titleOf}
                  open={open - 1}
                  path={inner}
                />
              );
            })}
            {more}
          </div>
        ))}
    </details>
  );
}

/** Returns the label of an item; an item of a list that has a name shows it beside its number. */
function nameOf(key: string, item: Json): string {
  const name = /^\d/.test(key) && isRecord(item) ? item["name"] : undefined;
  return typeof name === "string" ? `${key} ${cut(name, 60)}` : key;
}

/** Shows a value without parts. */
export function Leaf({ value }: { readonly value: Json }): VNode {
  const text = String(value);
  const [shown, rest] = useLongText(text, longestText);
  return (
    <bdi class={`value ${value === null ? "null" : typeof value}`}>
      {typeof value === "string" ? toJson(shown) : text}
      {rest}
    </bdi>
  );
}
