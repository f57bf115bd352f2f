import { expect, test, vi } from "vitest";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import { event, given, newJob, urn } from "../conformance.ts";

test("memory: what was dropped is not listed", async () => {
  const store = createMemoryStore({ maxFinished: 2 });
  for (const name of ["a", "b", "c"]) {
    await store.submit(newJob(name));
    const { lease } = given(await store.claim({ seconds: 15 }));
    await store.settle(lease, { state: "succeeded", result: { kind: "json", json: "1" } });
  }
  expect((await store.list(Number.MAX_SAFE_INTEGER, 9)).jobs.map(({ id }) => id)).toEqual([urn("c"), urn("b")]);
  await store.close();
});

test("memory: a listed job has its trace and not its owner; an owner lists only own jobs", async () => {
  const store = createMemoryStore();
  const { traceparent: _, owner: __, ...plain } = newJob("c");
  await store.submit({ ...newJob("a"), owner: "ann", traceparent: "00-1" });
  const { lease } = given(await store.claim({ seconds: 15 }));
  await store.settle(lease, { state: "succeeded", result: { kind: "json", json: "1" } });
  await store.submit({ ...newJob("b"), owner: "bob", traceparent: "00-2" });
  await store.submit(plain);
  const { jobs: all } = await store.list(Number.MAX_SAFE_INTEGER, 9);
  expect(all.map(({ id, traceparent }) => [id, traceparent])).toEqual([
    [urn("c"), undefined],
    [urn("b"), "00-2"],
    [urn("a"), "00-1"],
  ]);
  expect(
    all.flatMap((job) => Object.entries(job)).filter(([name, value]) => name === "owner" || value === undefined),
  ).toEqual([]);
  const ids = async (owner: string | undefined): Promise<string[]> =>
    (await store.list(Number.MAX_SAFE_INTEGER, 9, { of: { owner } })).jobs.map(({ id }) => id);
  expect([await ids("ann"), await ids("bob"), await ids(undefined)]).toEqual([[urn("a")], [urn("b")], [urn("c")]]);
  await store.close();
});

test("memory: a list does not decode events and stored steps of jobs that it does not have", async () => {
  const store = createMemoryStore();
  for (let index = 0; index < 20; index++) {
    await store.submit(newJob(`j${index}`, { input: { text: "x".repeat(1000) } }));
    const { lease } = given(await store.claim({ seconds: 15 }));
    await store.progress(lease, [event(1, "x".repeat(10_000))]);
    if (index === 7) await store.keep?.(lease, [{ key: "a", state: "done", tries: 1, fingerprint: "f", value: "1" }]);
    await store.settle(lease, { state: "failed", error: { kind: "user-input", message: "No." } });
  }
  const parsed: string[] = [];
  const realParse = JSON.parse;
  const parse = vi.spyOn(JSON, "parse").mockImplementation((text) => {
    parsed.push(text);
    return realParse(text) as unknown;
  });
  const last = Number.MAX_SAFE_INTEGER;
  const parsedFor = async (list: unknown): Promise<[number, boolean]> => {
    await list;
    const texts = parsed.splice(0);
    return [texts.length, texts.some((text) => text.length > 500)];
  };
  try {
    expect(await parsedFor(store.list(last, 9, { state: "none", most: 20 }))).toEqual([20, false]);
    expect(await parsedFor(store.list(last, 5))).toEqual([5, false]);
    expect(await parsedFor(store.list(last, 9, { id: urn("j3"), most: 20 }))).toEqual([1, false]);
    expect(await parsedFor(store.list(last, 9, { id: urn("j7") }))).toEqual([3, true]);
  } finally {
    parse.mockRestore();
  }
  const { jobs } = await store.list(last, 9, { id: urn("j7") });
  expect(jobs[0]).toMatchObject({ error: { message: "No." }, request: expect.stringMatching(/^\{"text":"x+…$/) });
  await store.close();
});

test("memory: attempts have the number of their last event, also when the job has ended", async () => {
  const store = createMemoryStore();
  expect(await store.attempts(urn("a"))).toEqual([]);
  await store.submit(newJob("a"));
  const first = given(await store.claim({ seconds: 15 }));
  await store.progress(first.lease, [event(1), event(2), event(3)]);
  await store.release(first.lease, 0);
  const waiting = await store.attempts(urn("a"));
  expect(waiting).toMatchObject([{ attempt: 1, state: "released", lastEvent: 3 }]);
  const second = given(await store.claim({ seconds: 15 }));
  expect(await store.attempts(urn("a"))).toMatchObject([...waiting, { attempt: 1, state: "executing" }]);
  await store.settle(second.lease, { state: "succeeded", result: { kind: "json", json: "1" } });
  expect((await store.attempts(urn("a"))).at(-1)).toMatchObject({ attempt: 1, state: "succeeded" });
  await store.close();
});
