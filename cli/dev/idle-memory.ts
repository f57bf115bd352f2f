import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Gives memory back to the system when a process of `tenon dev` has nothing to do. */
export interface IdleMemory {
  /** Work begins: no collection until it ends. */
  work(): void;
  /** Work has ended: a collection follows, unless more work comes soon. */
  rest(): void;
}

/** The heap that is collected. */
export interface CollectedHeap {
  /** Bytes that it takes. */
  readonly size: () => number;
  /** Frees all that nobody needs, and gives the room back. */
  readonly collect: () => void;
}

/** Milliseconds without work before a collection: a pause between two saves is shorter. */
export const quietTime = 2000;

/** Bytes by which the heap must have grown since the last collection: one save is not worth one. */
export const worthwhile = 8 * 1024 * 1024;

/**
 * Collects after a quiet time. V8 by itself collects only when a process needs room: every save leaves some of what the
 * build before it made, up to three times of what is needed.
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

/** Other engines have no such flags. */
const isV8 = process.versions["bun"] === undefined && process.versions["deno"] === undefined;

/**
 * Collects the old generation whenever it has grown by a quarter since the last time; V8 by itself lets it grow to three
 * times of what is needed. 1,000 edits in a row at 100 tools end at half of the memory, and take no longer.
 */
export function keepHeapSmall(): void {
  if (isV8) setFlagsFromString("--heap-growing-percent=25");
}

function openHeap(): CollectedHeap {
  // The function stays out of the author's globals.
  if (!isV8) return { size: () => 0, collect: () => {} };
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  setFlagsFromString("--no-expose-gc");
  return {
    size: () => getHeapStatistics().total_heap_size,
    // The thorough flavour is the one that also gives unused pages back.
    collect: () => collect({ type: "major", execution: "sync", flavor: "last-resort" }),
  };
}
