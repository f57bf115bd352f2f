import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteStore } from "../../../../../runtime/executor/store/sqlite/sqlite.ts";
import { diskTrouble } from "../../../../../runtime/start/parts/disk-trouble.ts";
import { readiness } from "../../../../../runtime/fronts/rest/readiness.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const disks = { store: "sqlite:/data/jobs.db", platformBaseUrl: undefined, localDir: "/local" };
const fullAt = (folder: string) => async (asked: string) => (asked === folder ? 1000 : 1e9);

test.each([
  ["the store", disks, "/data", "The disk of the job store is full."],
  ["artifacts", disks, "/local", "The disk of the artifacts is full."],
  ["the sidecar's artifacts", { ...disks, platformBaseUrl: "http://127.0.0.1:1" }, "/local", undefined],
  ["a store in memory", { ...disks, store: "memory:" }, "/data", undefined],
  ["another disk", disks, "/", undefined],
])("a full disk of %s", async (_, config, folder, reason) => {
  expect(await diskTrouble({}, config, fullAt(folder))).toBe(reason);
  const state = await readiness([], false, () => diskTrouble({}, config, fullAt(folder)));
  expect(state).toEqual(reason === undefined ? { status: "ready" } : { status: "unavailable", reason });
});

test("a folder that does not exist yet is not full", async () => {
  const missing = join(temporaryFolder(), "missing");
  expect(await diskTrouble({}, { ...disks, store: `sqlite:${missing}/jobs.db`, localDir: missing })).toBeUndefined();
});

test("a store whose disk takes no more says so", async () => {
  const store = openSqliteStore(join(temporaryFolder(), "jobs.db"), { maxBytes: 200_000 });
  expect(await diskTrouble(store, disks, async () => 1e9)).toBeUndefined();
  const job = { tool: "echo", input: "x".repeat(50_000), ttl: 60, maxAttempts: 1 };
  const submitted = Array.from({ length: 20 }, async (_, index) =>
    store.submit({ ...job, id: `urn:platform:job:${index}` }),
  );
  expect((await Promise.allSettled(submitted)).some(({ status }) => status === "rejected")).toBe(true);
  expect(await diskTrouble(store, disks, async () => 1e9)).toBe("The job store cannot be written.");
  await store.close();
});
