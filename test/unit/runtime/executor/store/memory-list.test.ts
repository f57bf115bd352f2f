import { join } from "node:path";
import { expect, test } from "vitest";
import type { JobStore, NewJob } from "../../../../../runtime/executor/store/job-store.ts";
import type { ListsJobs } from "../../../../../runtime/executor/store/listed-jobs.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory.ts";
import { openSqliteStore } from "../../../../../runtime/executor/store/sqlite/sqlite.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

type ListingStore = JobStore & Pick<ListsJobs, "list">;

const stores: Readonly<Record<string, () => ListingStore>> = {
  memory: () => createMemoryStore({ maxFinished: 4 }),
  sqlite: () => openSqliteStore(join(temporaryFolder(), "jobs.db")),
};

const urn = (name: string): JobUrn => `urn:platform:job:${name}`;

/** Submits and claims a job, and ends it unless it is to run on. */
async function add(store: ListingStore, name: string, owner?: string, runsOn = false): Promise<void> {
  const job: NewJob = { id: urn(name), tool: "tool", input: {}, ttl: 60, maxAttempts: 2, ...(owner && { owner }) };
  const answer = await store.submit(job, 60);
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error("It was not created.");
  if (runsOn) return;
  await store.settle(answer.lease, { state: "succeeded", result: { kind: "json", json: "1" } });
}

test.each(Object.entries(stores))("%s: the latest first, by owner, page by page", async (_, open) => {
  const store = open();
  await add(store, "a", "ann");
  await add(store, "b", "bob");
  await add(store, "c");
  await add(store, "d", "ann", true);
  await add(store, "e", "ann");
  const all = await store.list(Number.MAX_SAFE_INTEGER, 10);
  expect(all.map(({ id }) => id)).toEqual(["e", "d", "c", "b", "a"].map(urn));
  expect(all.map(({ state }) => state)).toEqual(["succeeded", "executing", "succeeded", "succeeded", "succeeded"]);
  for (const job of all) {
    expect(job).not.toHaveProperty("owner");
    expect(job.startedAt).toBeGreaterThan(0);
    expect(job.endedAt === undefined).toBe(job.state === "executing");
  }
  const own = await store.list(Number.MAX_SAFE_INTEGER, 2, { owner: "ann" });
  expect(own.map(({ id }) => id)).toEqual([urn("e"), urn("d")]);
  const rest = await store.list(own.at(-1)?.seq ?? 0, 2, { owner: "ann" });
  expect(rest.map(({ id }) => id)).toEqual([urn("a")]);
  expect((await store.list(Number.MAX_SAFE_INTEGER, 9, { owner: undefined })).map(({ id }) => id)).toEqual([urn("c")]);
  await store.close();
});

test("memory: what was dropped is not listed", async () => {
  const store = createMemoryStore({ maxFinished: 2 });
  for (const name of ["a", "b", "c"]) await add(store, name);
  expect((await store.list(Number.MAX_SAFE_INTEGER, 9)).map(({ id }) => id)).toEqual([urn("c"), urn("b")]);
  await store.close();
});
