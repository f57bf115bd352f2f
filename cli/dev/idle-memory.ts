import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns memory to the system when a process of `tenon dev` is idle. */
export interface IdleMemory {
  /** Called when work begins: postpones the collection until the work has ended. */
  work(): void;
  /** Called when work has ended: a collection follows, unless more work begins soon. */
  rest(): void;
}

/** The heap that is collected. */
export interface CollectedHeap {
  /** Bytes in use. */
  readonly size: () => number;
  /** Frees unused memory, and returns it to the system. */
  readonly collect: () => void;
}

/** Milliseconds without work before a collection: longer than a pause between two saves. */
export const quietTime = 2000;

/** Bytes by which the heap must have grown since the last collection, which is more than by one save. */
export const worthwhile = 8 * 1024 * 1024;

/**
 * Creates an object that collects garbage after a quiet time. V8 itself collects only when a process needs memory: each
 * save leaves garbage of the previous build, up to three times of the memory that is needed.
 */
export function createIdleMemory({ size, collect }: CollectedHeap = openHeap()): IdleMemory {
  let kept = 0;
  let waiting: NodeJS.Timeout | undefined;
  return {
    work: () => clearTimeout(waiting),
    rest() {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        if (size() < kept + worthwhile) return;
        collect();
        kept = size();
      }, quietTime).unref();
    },
  };
}

/** Other engines do not have these flags. */
const isV8 = process.versions["bun"] === undefined && process.versions["deno"] === undefined;

/**
 * Makes V8 collect the old generation whenever it has grown by a quarter since the last collection; by default, V8 lets
 * it grow to three times of what is needed. After 1,000 edits in a row with 100 tools, memory use is half as much, and
 * edits take no longer.
 */
export function keepHeapSmall(): void {
  if (isV8) setFlagsFromString("--heap-growing-percent=25");
}

function openHeap(): CollectedHeap {
  // The function `gc` is removed from the globals, so that author code does not see it.
  if (!isV8) return { size: () => 0, collect: () => {} };
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  setFlagsFromString("--no-expose-gc");
  return {
    size: () => getHeapStatistics().total_heap_size,
    // Only the major collection also returns unused pages to the system.
    collect: () => collect({ type: "major", execution: "sync", flavor: "last-resort" }),
  };
}
