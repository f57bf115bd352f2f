import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { useWindow } from "./use-window.ts";

export interface VirtualListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly keyOf: (item: T, index: number) => string | number;
  readonly row: (item: T, index: number) => VNode;
  /** Called when the user scrolls close to the end of the list. */
  readonly onEnd?: () => void;
}

/** Shows a list of any length, of which only visible rows are rendered. */
export function VirtualList<T>({ label, items, rowHeight, keyOf, row, onEnd }: VirtualListProps<T>): VNode {
  const { box, onScroll, first, last } = useWindow(items.length, rowHeight);
  useEffect(() => {
    if (last > items.length - 50) onEnd?.();
  }, [last, items.length]);
  return (
    <div class="virtual" ref={box} tabIndex={0} role="group" aria-label={label} onScroll={onScroll}>
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item, first + index)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {row(item, first + index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
