import { expect, test } from "vitest";
import { FinishedJobs } from "../../../../../../runtime/executor/store/memory/finished-jobs.ts";
import type { ListsJobs } from "../../../../../../runtime/executor/store/listed-jobs.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import type { JobUrn } from "../../../../../../runtime/job/job.ts";

const urn = (name: string): JobUrn => `urn:platform:job:${name}` as JobUrn;
const perTool = new Map([
  ["few", 2],
  ["none", 0],
]);

const storeWith = (): ReturnType<typeof createMemoryStore> => {
  const now = (): number => 0;
  return createMemoryStore({ now, maxFinished: 3, perTool });
};

/** Submits a job, runs it and settles it. */
function finish(store: ReturnType<typeof createMemoryStore>, tool: string, name: string, key?: string): void {
  const idempotency = key === undefined ? {} : { idempotency: { key, digest: name } };
  const job = { id: urn(name), tool, input: {}, ttl: 60, maxAttempts: 1, ...idempotency };
  const answer = store.submit(job, 15) as { readonly kind: string; readonly lease?: never };
  if (answer.lease === undefined) throw new Error(`${name}: ${answer.kind}`);
  void store.settle(answer.lease, { state: "succeeded", result: { kind: "json", json: "1" } });
}

test("a tool with a number of its own displaces no job of another", () => {
  const store = storeWith();
  for (const name of ["a", "b", "c", "d"]) finish(store, "other", name);
  for (let index = 0; index < 20; index++) finish(store, "few", `f${index}`);
  finish(store, "none", "n");
  const kept = ["a", "b", "c", "d", "f0", "f17", "f18", "f19", "n"].filter(
    (name) => store.get(urn(name)) !== undefined,
  );
  expect(kept).toEqual(["b", "c", "d", "f18", "f19"]);
});

test("a list has the jobs of all tools, the latest first", async () => {
  const store = storeWith();
  for (const [tool, name] of [
    ["other", "a"],
    ["few", "b"],
    ["other", "c"],
  ] as const)
    finish(store, tool, name);
  if (!("list" in store)) throw new Error("A store in memory lists its jobs.");
  const { jobs } = await (store as typeof store & ListsJobs).list(Number.MAX_SAFE_INTEGER, 10);
  expect(jobs.map(({ id }) => id)).toEqual([urn("c"), urn("b"), urn("a")]);
});

test("a key is known as long as its job, and then free for a job of another tool", () => {
  const store = storeWith();
  finish(store, "few", "a", "key");
  const again = { id: urn("z"), tool: "few", input: {}, ttl: 60, maxAttempts: 1 };
  expect(store.submit({ ...again, idempotency: { key: "key", digest: "a" } })).toMatchObject({
    kind: "existing",
    record: { id: urn("a"), state: "succeeded" },
  });
  finish(store, "few", "b");
  finish(store, "few", "c");
  finish(store, "other", "d", "key");
  expect(store.submit({ ...again, idempotency: { key: "key", digest: "d" } })).toMatchObject({
    kind: "existing",
    record: { id: urn("d"), tool: "other" },
  });
});

test("all tools share one limit of bytes, and the one with the most gives way", () => {
  const jobs = new FinishedJobs({ shared: 100, perTool: new Map([["few", 50]]), maxBytes: 950, now: () => 0 });
  const put = (tool: string, name: string, size: number): void =>
    jobs.put({ id: urn(name), tool, key: undefined, record: [new Uint8Array(size)], ttl: 10 });
  for (const name of ["a", "b", "c"]) put("few", name, 200);
  put("other", "d", 100);
  put("other", "e", 200);
  put("other", "huge", 951);
  const kept = ["a", "b", "c", "d", "e", "huge"].filter((name) => jobs.get(urn(name)) !== undefined);
  expect(kept).toEqual(["b", "c", "d", "e"]);
});

test("what has expired is gone", () => {
  let now = 0;
  const jobs = new FinishedJobs({ shared: 10, perTool, now: () => now });
  for (const tool of ["few", "other"])
    jobs.put({ id: urn(tool), tool, key: tool, record: [new Uint8Array(1)], ttl: 10 });
  expect([jobs.get(urn("few"))?.length, jobs.idOf("other")]).toEqual([1, urn("other")]);
  now = 10;
  jobs.dropExpired();
  expect([jobs.get(urn("few")), jobs.idOf("few"), jobs.get(urn("other")), jobs.idOf("other")]).toEqual(
    Array(4).fill(undefined),
  );
});
