import { Readable } from "node:stream";

/** The error for a chunk that is longer than the rest of its content. */
export class Surplus extends Error {}

/** The bytes of a chunk; fails with a {@link Surplus} when there are more than `room`. */
export function atMost(content: Readable, room: number): Readable {
  async function* counted(): AsyncGenerator<Buffer, void, undefined> {
    let size = 0;
    // The request stays open when the loop ends early, so that its sender gets the answer.
    for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > room) break;
      yield chunk;
    }
    if (size <= room) return;
    // Only now, since a stream with an iterator does not flow.
    content.resume();
    throw new Surplus();
  }
  return Readable.from(counted(), { objectMode: false });
}
