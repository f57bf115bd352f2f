import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { isPrime } from "../../examples/is-prime/src/is-prime.ts";
import { isCallError } from "../../runtime/client/index.ts";
import { createMockClient, type MockDefinition } from "../../runtime/kits/mock/index.ts";
import type { BinaryResult } from "../../runtime/job/binary-result.ts";

interface Tools {
  readonly isPrime: typeof isPrime;
  readonly picture: () => BinaryResult;
  readonly when: () => { at: Date; words: Set<string> };
}
const { tools } = JSON.parse(readFileSync("examples/is-prime/service.json", "utf8")) as MockDefinition;
const at = { type: "string", format: "date-time", "x-type": "Date" };
const words = { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true, "x-type": "Set" };
const when = { type: "object", properties: { at, words }, required: ["at", "words"] };
const definition: MockDefinition = {
  tools: [
    ...tools,
    { name: "picture", path: "/tool/picture", "result-kind": "binary" },
    { name: "when", path: "/tool/when", "result-schema": when },
  ],
};

test("answers by schema, in the classes of the types", async () => {
  const client = createMockClient<Tools>(definition);
  expect(await client.isPrime({ number: 7 })).toMatchObject({ number: 0, isPrime: false });
  expect((await client.picture()).size).toBe(0);
  const { at, words } = await client.when();
  expect(at).toBeInstanceOf(Date);
  expect(words).toEqual(new Set([""]));
  const job = await client.isPrime.start({ number: 7 });
  for await (const event of job.events()) expect(event).toBeUndefined();
  expect(await client.isPrime.job(job.id).result()).toMatchObject({ isPrime: false });
});

test("takes answers of the test, and passes its errors on", async () => {
  const moment = new Date("2026-11-23T10:00:00Z");
  const client = createMockClient<Tools>(definition, {
    isPrime: ({ number }) => ({ number: Number(number), isPrime: number === 7 }),
    when: async () => ({ at: moment, words: new Set(["a"]) }),
    picture: () => {
      throw new RangeError("no picture");
    },
  });
  expect(await client.isPrime({ number: 7 })).toEqual({ number: 7, isPrime: true });
  expect(await client.when()).toEqual({ at: moment, words: new Set(["a"]) });
  await expect(client.picture()).rejects.toThrow(RangeError);
});

test("an answer that is null is null, as over REST", async () => {
  const client = createMockClient<{ when: () => { at: Date } | null }>(definition, { when: () => null });
  expect(await client.when()).toBe(null);
});

test("refuses what the service would refuse", async () => {
  const client = createMockClient<Tools>(definition, {
    isPrime: ({ number }) => ({ number: Number(number), isPrime: true }),
  });
  const error: unknown = await client.isPrime({ number: -1 }).catch((thrown: unknown) => thrown);
  if (!isCallError(error)) throw error;
  expect(error).toMatchObject({ kind: "validation", status: 422, problems: [{ path: "/number" }] });
  await expect(client.isPrime.start({ number: -1 })).rejects.toMatchObject({ kind: "validation" });
  const other = createMockClient<{ gone: () => void }>(definition);
  await expect(other.gone()).rejects.toMatchObject({ kind: "not-found" });
});
