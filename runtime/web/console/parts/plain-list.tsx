import type { VNode } from "preact";
import { cut } from "../base/format.ts";
import { Leaf } from "./json-tree.tsx";
import { Dim } from "./notice.tsx";
import type { Plain } from "./plains.ts";
import { VirtualList } from "./virtual-list.tsx";

/** Maximum number of values; browsers have no taller elements than some ten million pixels. */
const mostValues = 500_000;
/** Height in pixels of a row. */
const rowHeight = 26;

/** Shows a long list of texts, numbers and the like, one in a row. */
export function PlainList({ values }: { readonly values: readonly Plain[] }): VNode {
  const label = `${values.length} values`;
  return (
    <div class="plain">
      <Dim>
        {label}
        {values.length > mostValues && `, of which the first ${mostValues} are shown`}
      </Dim>
      <VirtualList
        label={label}
        items={values.slice(0, mostValues)}
        rowHeight={rowHeight}
        keyOf={(_, index) => index}
        row={(value, index) => (
          <>
            <span class="key">{index}</span>
            <Leaf value={typeof value === "string" ? cut(value, 300) : value} />
          </>
        )}
      />
    </div>
  );
}
