import { ByteGatherer } from "../../../base/byte-gatherer.ts";

/** The kept parts of a line that was too long. */
export interface LongLine {
  readonly begin: Buffer;
  readonly end: Buffer;
}

/** A line without its line end, or the two ends of a line that was too long. */
export type Line = Buffer | LongLine;

/** Bytes that are kept of each end. */
const keptBytes = 512;

/**
 * Splits a stream of bytes at line feeds. Returns a function that takes the next chunk and calls `onLine` for each
 * complete line; calling it without a chunk at the end of the stream passes on the last line.
 */
export function splitLines(limit: number, onLine: (line: Line) => void): (chunk?: Buffer) => void {
  let first: Buffer | undefined;
  let more: ByteGatherer | undefined;
  let long: LongLine | undefined;
  let size = 0;
  const finish = (): void => {
    if (long !== undefined) onLine(long);
    else if (size > 0) {
      const line = more?.whole() ?? first;
      if (line !== undefined) onLine(trimReturn(line));
    }
    first = undefined;
    more = undefined;
    long = undefined;
    size = 0;
  };
  const add = (part: Buffer): void => {
    size += part.byteLength;
    // An endless line must not fill the memory: of one over the limit only the ends are kept.
    if (size > limit) {
      const before = long?.end ?? more?.whole() ?? first;
      const known = before === undefined ? part : Buffer.concat([before, part]);
      // Copies, so that what lies between the ends can be freed.
      long = {
        begin: long?.begin ?? Buffer.from(known.subarray(0, keptBytes)),
        end: Buffer.from(known.subarray(-keptBytes)),
      };
      first = undefined;
      more = undefined;
    } else if (more !== undefined) more.add(part);
    else if (first === undefined) first = part;
    else {
      more = new ByteGatherer();
      more.add(first);
      more.add(part);
    }
  };
  return (chunk) => {
    if (chunk === undefined) return finish();
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      finish();
      start = end + 1;
    }
    if (start < chunk.byteLength) add(chunk.subarray(start));
  };
}

function trimReturn(line: Buffer): Buffer {
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}
