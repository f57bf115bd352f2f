import { expect, test } from "vitest";
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
