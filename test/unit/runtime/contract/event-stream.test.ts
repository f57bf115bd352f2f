import { expect, test } from "vitest";
import { serverSentEvents } from "../../../../runtime/contract/event-stream.ts";

const bytes = Buffer.from(
  ": hi\n\nid: 1\r\nevent: a\r\ndata: ä\u2028\r\ndata: b\r\n\r\ndata:c\n\nid\ndata\ndata:  d\n\nid: 4\n\ndata: cut",
);
const events = [
  { id: "1", event: "a", data: "ä\u2028\nb" },
  { id: undefined, event: "message", data: "c" },
  { id: "", event: "message", data: "\n d" },
];

test.each([1, 2, 3, 7, 1000])("a stream in pieces of %i bytes", async (size) => {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, (at += size)));
    },
  });
  const found = [];
  for await (const event of serverSentEvents(body)) found.push(event);
  expect(found).toEqual(events);
});
