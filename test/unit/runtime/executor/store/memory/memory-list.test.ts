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
