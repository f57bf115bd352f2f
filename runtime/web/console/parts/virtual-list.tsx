import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows beyond both edges that are there already when somebody scrolls. */
const spare = 10;

export interface VirtualListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => VNode;
  /** Called when the end of the list comes near. */
  readonly onEnd: () => void;
}

/** A list of any length: only the rows that can be seen are elements. */
export function VirtualList<T>({ label, items, rowHeight, keyOf, row, onEnd }: VirtualListProps<T>): VNode {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watcher = new ResizeObserver(() => setHeight(element.clientHeight));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + spare);
  useEffect(() => {
    if (last > items.length - 50) onEnd();
  }, [last, items.length]);
  return (
    <div
      class="virtual"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {row(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
