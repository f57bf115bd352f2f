import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { readAhead } from "../../../../../../runtime/fronts/mcp/http/read-ahead.ts";

/** A source that takes no account of its reader. */
function source() {
  let write: ReadableStreamDefaultController<Uint8Array> | undefined;
  const cancelled: unknown[] = [];
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => void (write = controller),
    cancel: (reason) => void cancelled.push(reason),
  });
  if (write === undefined) throw new Error("The stream has not begun.");
  return { stream, write, cancelled };
}

test("what waits for the reader is counted, until it is read, in the order in which it came", async () => {
  const { stream, write } = source();
  const held: number[] = [];
  const reader = readAhead(stream, (bytes) => held.push(bytes)).getReader();
  for (const size of [3, 4, 5]) write.enqueue(new Uint8Array(size));
  await turn();
  expect(held.at(-1)).toBe(12);
  expect([(await reader.read()).value?.length, held.at(-1)]).toEqual([3, 9]);
  write.close();
  expect([(await reader.read()).value?.length, (await reader.read()).value?.length]).toEqual([4, 5]);
  expect([(await reader.read()).done, held.at(-1)]).toEqual([true, 0]);
});

test("a reader that waits gets each piece at once, and its end of the stream ends the source", async () => {
  const { stream, write, cancelled } = source();
  const reader = readAhead(stream).getReader();
  const next = reader.read();
  await turn();
  write.enqueue(new Uint8Array(2));
  expect((await next).value?.length).toBe(2);
  await reader.cancel("gone");
  expect(cancelled).toEqual(["gone"]);
});

test("above the limit the stream fails, its source is cancelled, and nothing of it waits; one large piece may", async () => {
  const { stream, write, cancelled } = source();
  const held: number[] = [];
  const reader = readAhead(stream, (bytes) => held.push(bytes), 10).getReader();
  write.enqueue(new Uint8Array(99));
  await turn();
  expect([held.at(-1), cancelled]).toEqual([99, []]);
  write.enqueue(new Uint8Array(1));
  await turn();
  expect([held.at(-1), cancelled.length]).toEqual([0, 1]);
  await expect(reader.read()).rejects.toThrow("More than 10 bytes wait for the reader of a stream.");
});

test("an error of the source arrives", async () => {
  const { stream, write } = source();
  const reader = readAhead(stream).getReader();
  write.error(new Error("broken"));
  await expect(reader.read()).rejects.toThrow("broken");
});
