import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows beyond both edges that are rendered in advance, for scrolling. */
const spare = 10;

/** The visible rows of a scrolled element: from `first` to before `last`. */
interface Seen {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  readonly first: number;
  readonly last: number;
}

/** Tracks which of `count` rows are visible; `rowHeight`: pixels of a row. */
export function useWindow(count: number, rowHeight: number): Seen {
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
  return {
    box,
    onScroll: () => setTop(box.current?.scrollTop ?? 0),
    first: Math.max(0, Math.floor(top / rowHeight) - spare),
    last: Math.min(count, Math.ceil((top + height) / rowHeight) + spare),
  };
}
