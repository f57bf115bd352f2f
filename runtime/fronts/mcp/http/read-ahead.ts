import type { Hold } from "../../http/held-by-stream.ts";

/** Maximum bytes that wait for the reader of one stream, on each host. */
const most = 16 * 1024 * 1024;

/**
 * Reads a stream whose source does not wait for its reader, such as that of the MCP SDK, as fast as it comes, so that
 * the waiting bytes can be counted. Above a limit the stream fails, and its source is cancelled.
 *
 * @param hold Gets the number of waiting bytes
 */
export function readAhead(
  source: ReadableStream<Uint8Array>,
  hold: Hold = () => {},
  limit: number = most,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const waiting: Uint8Array[] = [];
  let bytes = 0;
  let isWanted = false;
  let isOver = false;

  const count = (difference: number): void => hold((bytes += difference));
  const give = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (!isWanted) return;
    const piece = waiting.shift();
    if (piece !== undefined) {
      isWanted = false;
      count(-piece.byteLength);
      controller.enqueue(piece);
    } else if (isOver) controller.close();
  };
  const drop = (reason: unknown): Promise<void> => {
    waiting.length = 0;
    count(-bytes);
    return reader.cancel(reason);
  };
  async function read(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        // The newest piece is not counted here, since a single result may be larger than the limit.
        if (bytes > limit) throw new RangeError(`More than ${limit} bytes wait for the reader of a stream.`);
        waiting.push(next.value);
        count(next.value.byteLength);
        give(controller);
      }
      isOver = true;
      give(controller);
    } catch (error) {
      controller.error(error);
      await drop(error).catch(() => {});
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => void read(controller),
      pull(controller) {
        isWanted = true;
        give(controller);
      },
      cancel: drop,
    },
    { highWaterMark: 0 },
  );
}
