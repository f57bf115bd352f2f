import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { More } from "./quiet-button.tsx";

/**
 * Returns the first elements of a list, and the button for more of them. `size`: number of elements that are shown at
 * first.
 */
export function usePortion<T>(all: readonly T[], size: number, of: string): readonly [readonly T[], VNode] {
  const [limit, setLimit] = useState(size);
  return [all.slice(0, limit), <More left={all.length - limit} of={of} press={() => setLimit(limit + size * 5)} />];
}
