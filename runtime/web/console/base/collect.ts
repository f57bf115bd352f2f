/** Milliseconds between two calls of `give`: a timeline of many steps takes a part of them to draw. */
const every = 66;

/**
 * Reads a stream to its end, and calls `give` with all values so far: some times a second, and at the end. Rejects as
 * the stream does.
 */
export async function collect<T>(stream: AsyncIterable<T>, give: (all: readonly T[]) => void): Promise<void> {
  const all: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const one of stream) {
    all.push(one);
    timer ??= setTimeout(() => {
      timer = undefined;
      give(all.slice());
    }, every);
  }
  clearTimeout(timer);
  give(all);
}
