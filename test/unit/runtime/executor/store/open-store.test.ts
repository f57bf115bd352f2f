import { resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasDeadLetters } from "../../../../../runtime/executor/store/dead-letters.ts";
import { openStore } from "../../../../../runtime/executor/store/open-store.ts";
import { StoreError } from "../../../../../runtime/executor/store/store-error.ts";
import { newJob, urn } from "./conformance.ts";
import { sqlitePlace, type SqlitePlace } from "./sqlite-place.ts";

let place: SqlitePlace;
beforeEach(() => {
  place = sqlitePlace();
});
afterEach(() => place.remove());

test("memory: is a store in memory", async () => {
  for (const spec of ["memory:", " MEMORY: "]) {
    const store = await openStore(spec);
    expect(hasDeadLetters(store)).toBe(false);
    await store.close();
  }
});

test.each([undefined, new Map([["one", 50]])])(
  "memory: keeps so many bytes, and drops the oldest (%o)",
  async (perTool) => {
    const store = await openStore("memory:", { maxBytes: 3000, ...(perTool !== undefined && { perTool }) });
    for (const name of ["a", "b", "c"]) {
      const answer = await store.submit(newJob(name), 15);
      if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
      await store.settle(answer.lease, { state: "succeeded", result: { kind: "text", text: "x".repeat(1000) } });
    }
    const kept = await Promise.all(["a", "b", "c"].map(async (name) => (await store.get(urn(name)))?.state));
    expect(kept).toEqual([undefined, "succeeded", "succeeded"]);
    await store.close();
  },
);

test("sqlite:FILE is not limited by the bytes that a store in memory keeps", async () => {
  const store = await openStore(`sqlite:${place.file}`, { maxBytes: 3000 });
  for (let index = 0; index < 20; index++)
    expect(await store.submit(newJob(`j${index}`, { input: "x".repeat(10_000) }))).toEqual({ kind: "created" });
  await store.close();
});

test("sqlite:FILE is a file, however it is written; a relative one is of the working directory", async () => {
  for (const [index, spec] of [`sqlite:${place.file}`, `sqlite://${place.file}`, ` SQLite:${place.file} `].entries()) {
    const store = await openStore(spec);
    expect(await store.submit(newJob(`j${index}`))).toEqual({ kind: "created" });
    await store.close();
  }
  const store = place.open();
  expect(await store.get(urn("j0"))).toBeDefined();
  expect(await store.get(urn("j2"))).toBeDefined();
  await store.close();
  await expect(openStore("sqlite:test")).rejects.toThrow(`${resolve("test")} is a directory.`);
});

const supported =
  "Use memory: (jobs are gone when the process ends), sqlite:FILE (jobs survive it), for example sqlite:./jobs.db, or " +
  "postgres://USER:PASSWORD@HOST/DATABASE (replicas share the jobs).";

test.for([
  ["", `TENON_STORE is "", which is not a supported store. ${supported}`],
  ["jobs.db", `TENON_STORE is "jobs.db", which is not a supported store. ${supported}`],
  ["sqlite", `TENON_STORE is "sqlite", which is not a supported store. ${supported}`],
  ["sqlite:", `TENON_STORE is "sqlite:", without a file. ${supported}`],
  ["sqlite:jobs/", `TENON_STORE is "sqlite:jobs/", which names a folder. ${supported}`],
  ["sqlite::memory:", `TENON_STORE is "sqlite::memory:". ${supported}`],
  ["memory:x", 'TENON_STORE is "memory:x", but memory: takes no value.'],
  ["redis://:secret@host", `TENON_STORE names a redis: store, which this version does not support. ${supported}`],
  ["mysql://u:secret@host/db", `TENON_STORE is "mysql://…@host/db", which is not a supported store. ${supported}`],
  ["jo:secret@host/db", `TENON_STORE is "…@host/db", which is not a supported store. ${supported}`],
  ["host=db password=secret", `TENON_STORE is "host=…", which is not a supported store. ${supported}`],
  [
    "jdbc:postgresql://host/db?user=u&password=secret",
    `TENON_STORE is "jdbc:postgresql://host/db?user=…", which is not a supported store. ${supported}`,
  ],
] as const)("%j is no store", async ([spec, message]) => {
  await expect(openStore(spec)).rejects.toThrow(new StoreError(message));
});
