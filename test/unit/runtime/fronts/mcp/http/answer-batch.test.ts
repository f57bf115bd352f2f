import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { ToolError } from "../../../../../../runtime/base/errors.ts";
import type { Answer } from "../../../../../../runtime/fronts/http/answer.ts";
import type { Exchange } from "../../../../../../runtime/fronts/http/exchange.ts";
import { answerBatch } from "../../../../../../runtime/fronts/mcp/http/answer-batch.ts";

const exchange = { call: new EventEmitter() } as unknown as Exchange;
const megabyte = 1024 * 1024;

const messagesOf = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));

/** Answers each message with one piece, and notes which messages have begun. */
function answering(bytes: number): {
  readonly begun: unknown[];
  readonly answer: (message: unknown) => Promise<Answer>;
} {
  const begun: unknown[] = [];
  return {
    begun,
    answer: async (message) => {
      begun.push(message);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array(bytes));
          controller.close();
        },
      });
      return { status: 200, headers: [], body };
    },
  };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
};

test("messages of a batch begin as the reader takes the answers before them", async () => {
  const { begun, answer } = answering(megabyte);
  const { body } = await answerBatch(exchange, messagesOf(20), answer);
  await turns();
  expect(begun.length).toBeLessThan(10);
  let bytes = 0;
  for await (const piece of body as ReadableStream<Uint8Array>) bytes += piece.byteLength;
  expect([begun.length, bytes]).toEqual([20, 20 * megabyte]);
});

test("messages that have not begun are dropped when the reader leaves", async () => {
  const { begun, answer } = answering(megabyte);
  const { body } = await answerBatch(exchange, messagesOf(20), answer);
  await turns();
  const before = begun.length;
  await (body as ReadableStream<Uint8Array>).cancel();
  await turns();
  expect(begun.length).toBeLessThanOrEqual(before + 4);
});

test("four messages are answered at the same time, and an answer without a stream is an event", async () => {
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const { body } = await answerBatch(exchange, messagesOf(9), async (message) => {
    running++;
    if ((message as { readonly id: number }).id > 0) await gate.promise;
    return { status: 200, headers: [], body: JSON.stringify(message) };
  });
  await turns();
  expect(running).toBe(5);
  gate.resolve();
  const text = await new Response(body as ReadableStream<Uint8Array>).text();
  expect(text.match(/^event: message\ndata: \{.*"id":\d.*\}$/gm)).toHaveLength(9);
});

test("a refusal of the first message is the answer, and a batch of notifications has one of its own", async () => {
  const refused = { status: 404, headers: [], body: "no session" };
  expect(await answerBatch(exchange, messagesOf(3), async () => refused)).toBe(refused);
  const taken = { status: 202, headers: [], body: undefined };
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  expect(await answerBatch(exchange, [notification, notification], async () => taken)).toBe(taken);
});

test("a refusal of another message is its answer, and a broken answer breaks the stream", async () => {
  const { answer } = answering(1);
  const all = (message: unknown, at: (id: number) => Answer | undefined): Promise<Answer> => {
    const own = at((message as { readonly id: number }).id);
    return own === undefined ? answer(message) : Promise.resolve(own);
  };
  const refusing = await answerBatch(exchange, messagesOf(9), async (message) =>
    all(message, (id) => {
      if (id === 7) throw new ToolError("not-found", "There is none.");
      return undefined;
    }),
  );
  const text = await new Response(refusing.body as ReadableStream<Uint8Array>).text();
  expect(text).toContain('{"jsonrpc":"2.0","id":7,"error":{');
  const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("broken")) });
  const breaking = await answerBatch(exchange, messagesOf(9), (message) =>
    all(message, (id) => (id === 7 ? { status: 200, headers: [], body: broken } : undefined)),
  );
  await expect(new Response(breaking.body as ReadableStream<Uint8Array>).text()).rejects.toThrow("broken");
});
