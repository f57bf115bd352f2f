import { expect, test } from "vitest";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import { given, newJob, urn } from "../conformance.ts";

test("memory: what was dropped is not listed", async () => {
  const store = createMemoryStore({ maxFinished: 2 });
  for (const name of ["a", "b", "c"]) {
    await store.submit(newJob(name));
    const { lease } = given(await store.claim({ seconds: 15 }));
    await store.settle(lease, { state: "succeeded", result: { kind: "json", json: "1" } });
  }
  expect((await store.list(Number.MAX_SAFE_INTEGER, 9)).map(({ id }) => id)).toEqual([urn("c"), urn("b")]);
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
  const all = await store.list(Number.MAX_SAFE_INTEGER, 9);
  expect(all.map(({ id, traceparent }) => [id, traceparent])).toEqual([
    [urn("c"), undefined],
    [urn("b"), "00-2"],
    [urn("a"), "00-1"],
  ]);
  expect(
    all.flatMap((job) => Object.entries(job)).filter(([name, value]) => name === "owner" || value === undefined),
  ).toEqual([]);
  const ids = async (owner: string | undefined): Promise<string[]> =>
    (await store.list(Number.MAX_SAFE_INTEGER, 9, { owner })).map(({ id }) => id);
  expect([await ids("ann"), await ids("bob"), await ids(undefined)]).toEqual([[urn("a")], [urn("b")], [urn("c")]]);
  await store.close();
});
