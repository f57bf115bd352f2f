import { throttle } from "./throttle.ts";

/**
 * Reads a stream to its end, and calls `give` with all values so far: some times a second, and at the end. Rejects as
 * the stream does.
 */
export async function collect<T>(stream: AsyncIterable<T>, give: (all: readonly T[]) => void): Promise<void> {
  const all: T[] = [];
  const giving = throttle(() => give(all.slice()));
  for await (const one of stream) {
    all.push(one);
    giving.soon();
  }
  giving.now();
}
