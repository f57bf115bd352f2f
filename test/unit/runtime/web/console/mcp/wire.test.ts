import { expect, test, vi } from "vitest";
import type { Client } from "../../../../../../runtime/web/console/client/client.ts";
import { createWire } from "../../../../../../runtime/web/console/mcp/wire.ts";

test("a question that a call asks again has the answer before", async () => {
  const wire = createWire({} as Client);
  const answer = { action: "accept", content: { pieces: 13 } };
  const refused: unknown[] = [];
  const ask = async (message: string, { signal }: AbortController): Promise<void> => {
    const answered = wire.ask("elicitation/create", { message }, signal);
    const [question] = wire.questions.get();
    refused.push(question?.refused);
    question?.give(answer);
    await answered;
  };
  const [first, second] = [new AbortController(), new AbortController()];
  await ask("How many?", first);
  await ask("How many?", first);
  await ask("Which?", first);
  await ask("Which?", second);
  expect(refused).toEqual([undefined, answer, undefined, undefined]);
});

test("thousands of messages are few changes of the log, which keeps the latest", async () => {
  vi.useFakeTimers();
  try {
    const wire = createWire({ send: () => Promise.resolve(new Response()) } as unknown as Client);
    let changes = 0;
    wire.log.watch(() => changes++);
    for (let id = 0; id < 3000; id++) {
      await wire.post({ jsonrpc: "2.0", id, method: "ping" }, {});
      if (id % 100 === 0) await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(changes).toBeLessThan(10);
    expect(wire.log.get().map(({ message }) => message["id"])).toEqual(
      Array.from({ length: 500 }, (_, at) => 2500 + at),
    );
    wire.log.set([]);
    await wire.post({ jsonrpc: "2.0", id: 3000, method: "ping" }, {});
    await vi.advanceTimersByTimeAsync(1000);
    expect(wire.log.get()).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});
