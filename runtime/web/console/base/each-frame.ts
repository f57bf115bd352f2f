/**
 * Reads a stream to its end, and calls `give` with all values so far: at most once per frame of the screen, and at the
 * end. Rejects as the stream does.
 */
export async function eachFrame<T>(stream: AsyncIterable<T>, give: (all: readonly T[]) => void): Promise<void> {
  const all: T[] = [];
  let frame = 0;
  for await (const one of stream) {
    all.push(one);
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      give(all.slice());
    });
  }
  cancelAnimationFrame(frame);
  give(all);
}
