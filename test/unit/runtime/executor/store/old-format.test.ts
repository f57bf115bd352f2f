import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSqlite } from "../../../../../runtime/executor/store/sqlite/load-sqlite.ts";
import { StoreError } from "../../../../../runtime/executor/store/store-error.ts";
import { given, newJob, urn } from "./conformance.ts";
import { sqlitePlace, type SqlitePlace } from "./sqlite-place.ts";

let place: SqlitePlace;
beforeEach(() => {
  place = sqlitePlace();
});
afterEach(() => place.remove());

/** The tables of version 1, as it made them. */
const version1 = `
CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, phase INTEGER NOT NULL, due INTEGER NOT NULL, expires INTEGER,
  ended INTEGER, attempt INTEGER NOT NULL, max_attempts INTEGER NOT NULL, ttl REAL NOT NULL, token TEXT,
  tool TEXT NOT NULL, owner TEXT, idempotency_key TEXT, idempotency_digest TEXT, detail TEXT, submission TEXT,
  outcome TEXT, content_type TEXT, content BLOB
);
CREATE INDEX jobs_claimable ON jobs (tool) WHERE phase = 0;
CREATE INDEX jobs_due ON jobs (phase, due) WHERE phase > 0;
CREATE INDEX jobs_idempotency ON jobs (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE TABLE events (
  job INTEGER NOT NULL REFERENCES jobs (seq) ON DELETE CASCADE, sequence INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (job, sequence)
) WITHOUT ROWID;
PRAGMA application_id = ${0x746e6f6e};
PRAGMA user_version = 1;
`;
const submission = {
  id: urn("waits"),
  tool: "one",
  input: { n: [1.5, "a\u0000"] },
  ttl: 60,
  maxAttempts: 3,
  owner: "anna",
  idempotency: { key: "k", digest: "d" },
  traceparent: "00-1",
  tracestate: "a=b",
};

/** Takes back what version 10 added. */
const headStarts =
  "DROP INDEX jobs_early; DROP INDEX jobs_held_early; " +
  ["head_start", "early"].map((column) => `ALTER TABLE jobs DROP COLUMN ${column}; `).join("");
/** The same of version 9. */
const rates =
  headStarts +
  "DROP TABLE limit_keys; " +
  ["pace", "burst", "wakes"].map((column) => `ALTER TABLE jobs DROP COLUMN ${column}; `).join("");
/** The same of version 8. */
const limits =
  rates +
  "DROP INDEX jobs_limited; DROP INDEX jobs_claimable; CREATE INDEX jobs_claimable ON jobs (tool) WHERE phase = 0; " +
  ["limit_key", "line", "cap"].map((column) => `ALTER TABLE jobs DROP COLUMN ${column}; `).join("");
/** The same of versions 6 and 7. */
const kept =
  limits +
  "DROP TABLE schedules; DROP TRIGGER jobs_kept; DROP TABLE steps; DROP TABLE messages; ALTER TABLE jobs DROP COLUMN kept; ALTER TABLE jobs DROP COLUMN waits;";
const newest =
  kept + ["history", "worker", "talk", "replies"].map((column) => `ALTER TABLE jobs DROP COLUMN ${column}; `).join("");

function write(statements: string): void {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(place.file);
  database.exec(statements);
  database.close();
}

test("a file of version 1 is taken over: jobs that wait, that have ended, dead letters and events", async () => {
  const later = Date.now() + 60_000;
  write(`${version1}
    INSERT INTO jobs (id, phase, due, attempt, max_attempts, ttl, tool, owner, idempotency_key, idempotency_digest, submission)
      VALUES ('waits', 0, 0, 1, 3, 60, 'one', 'anna', 'k', 'd', '${JSON.stringify(submission)}'),
      ('bare', 0, 0, 0, 3, 60, 'two', NULL, NULL, NULL, '{"id":"urn:platform:job:bare","tool":"two"}');
    INSERT INTO jobs (id, phase, due, ended, attempt, max_attempts, ttl, tool, outcome, content)
      VALUES ('done', 3, ${later}, 5, 1, 3, 60, 'one', 'json', CAST('{"a":1}' AS BLOB));
    INSERT INTO jobs (id, phase, due, expires, ended, attempt, max_attempts, ttl, tool, submission, outcome, content)
      VALUES ('dead', 4, ${later}, ${later}, 7, 3, 3, 60, 'one', '{"input":2}', 'error',
        CAST('{"kind":"interrupted","message":"gone"}' AS BLOB));
    INSERT INTO events VALUES (1, 4, '{"text":"said"}');
  `);
  const store = place.open();
  const { job, lastSequence, lease } = given(await store.claim({ seconds: 15, id: urn("waits") }));
  expect([job, lastSequence, lease.attempt]).toEqual([submission, 4, 2]);
  expect(given(await store.claim({ seconds: 15, id: urn("bare") })).job.input).toBeUndefined();
  expect((await store.get(urn("done")))?.outcome).toEqual({
    state: "succeeded",
    result: { kind: "json", json: '{"a":1}' },
  });
  expect((await store.get(urn("waits")))?.events).toEqual([{ sequence: 4, body: { text: "said" } }]);
  expect(await store.deadLetters()).toMatchObject([{ id: urn("dead"), endedAt: 7 }]);
  expect(await store.redrive(urn("dead"))).toBe("ok");
  expect(given(await store.claim({ seconds: 15, id: urn("dead") })).job.input).toBe(2);
  await store.close();
  await place.open().close();
});

test("a file of version 2, which kept no caller, takes one from now on", async () => {
  const before = place.open();
  await before.submit(newJob("old"));
  await before.close();
  write(`${newest}ALTER TABLE jobs DROP COLUMN baggage; ALTER TABLE jobs DROP COLUMN caller; PRAGMA user_version = 2;`);
  const store = place.open();
  const caller = { subject: "ann", scopes: [], claims: {} };
  await store.submit(newJob("new", { caller }));
  expect(given(await store.claim({ seconds: 15, id: urn("old") })).job.caller).toBeUndefined();
  expect(given(await store.claim({ seconds: 15, id: urn("new") })).job.caller).toEqual(caller);
  await store.close();
});

test("a file of version 3, which kept no baggage, takes it from now on", async () => {
  const before = place.open();
  await before.submit(newJob("old"));
  await before.close();
  write(`${newest}ALTER TABLE jobs DROP COLUMN baggage; PRAGMA user_version = 3;`);
  const store = place.open();
  await store.submit(newJob("new", { baggage: "tenant=blue" }));
  expect(given(await store.claim({ seconds: 15, id: urn("old") })).job).toEqual(newJob("old"));
  expect(given(await store.claim({ seconds: 15, id: urn("new") })).job.baggage).toBe("tenant=blue");
  await store.close();
});

test("a file of version 4, which kept no attempts, keeps them from now on", async () => {
  const before = place.open();
  await before.submit(newJob("old"), 15);
  await before.close();
  write(`${newest}PRAGMA user_version = 4;`);
  const store = place.open({ endLeases: true });
  expect(await store.attempts(urn("old"))).toMatchObject([{ attempt: 1, state: "lost" }]);
  given(await store.claim({ seconds: 15, worker: "two" }));
  expect(await store.attempts(urn("old"))).toMatchObject([{ state: "lost" }, { attempt: 2, worker: "two" }]);
  await store.close();
});

test("a file of version 5, which kept no steps, keeps them from now on", async () => {
  const before = place.open();
  const submitted = await before.submit(newJob("old"), 15);
  await before.close();
  write(`${kept}PRAGMA user_version = 5;`);
  const store = place.open();
  const lease = submitted.kind === "created" ? submitted.lease : undefined;
  if (lease === undefined) throw new Error("the job has no lease");
  await store.keep(lease, [{ key: "a", state: "done", tries: 0, fingerprint: "f", value: "1" }]);
  expect((await store.recall(urn("old"))).steps).toMatchObject([{ key: "a", value: "1" }]);
  await store.close();
});

test("a file of version 6, which had no schedules, has them from now on", async () => {
  await place.open().close();
  write(`${limits}DROP TABLE schedules; PRAGMA user_version = 6;`);
  const store = place.open();
  await store.schedules?.plan("s", [{ tool: "one", number: 1, times: "t", definition: "{}", next: 1 }]);
  expect((await store.schedules?.read("s"))?.rows).toMatchObject([{ tool: "one", next: 1 }]);
  await store.close();
});

test("a file of version 7, which knew no limits, keeps them from now on", async () => {
  const before = place.open();
  const job = newJob("old", { limit: { key: "one", jobs: 1, retryAfter: 1 } });
  await before.submit(newJob("first"));
  await before.submit(newJob("second"));
  await before.close();
  write(`${limits}PRAGMA user_version = 7;`);
  const store = place.open();
  expect(given(await store.claim({ seconds: 15 })).job.id).toBe(urn("first"));
  expect(await store.submit(job, 15)).toHaveProperty("lease");
  expect(await store.submit({ ...job, id: urn("new") })).toHaveProperty("waiting");
  await store.close();
});

test("tables that no version has made are refused in words, and the file is as it was", () => {
  write(version1.replace("submission TEXT", "input TEXT"));
  const opening = (): unknown => place.open();
  expect(opening).toThrow(StoreError);
  expect(opening).toThrow(
    `${place.file} cannot be used: Error: no such column: submission. Its tables are of an earlier version of tenon ` +
      "(format 1) and could not be brought up to date; the file is as it was. Let that version finish its jobs, or give another file.",
  );
});

test("a file of version 8, which knew no rates, keeps them from now on", async () => {
  const before = place.open();
  const limit = { key: "one", jobs: 1, retryAfter: 1 };
  await before.submit(newJob("first", { limit }));
  await before.submit(newJob("second", { limit }));
  await before.close();
  write(`${rates} PRAGMA user_version = 8;`);
  const store = place.open();
  expect(given(await store.claim({ seconds: 15 })).job.id).toBe(urn("first"));
  expect((await store.get(urn("second")))?.waiting).toEqual({ waits: [], line: { limit: "one", ahead: 0 } });
  const rate = { pace: 60_000, burst: 1, text: "1/min" };
  await store.submit(newJob("third", { limit: { key: "two", rate, retryAfter: 1 } }));
  expect(await store.submit(newJob("fourth", { limit: { key: "two", rate, retryAfter: 1 } }))).toHaveProperty(
    "waiting",
  );
  await store.close();
});

test("a file of version 9, which knew no head starts, keeps them from now on, beside its own jobs", async () => {
  const before = place.open();
  const limit = { key: "one", jobs: 1, retryAfter: 1 };
  for (const name of ["first", "second", "third"]) await before.submit(newJob(name, { limit }));
  await before.submit(newJob("free", { tool: "two" }));
  await before.close();
  write(`${headStarts} PRAGMA user_version = 9;`);
  const store = place.open();
  const more = { limit, headStart: 60_000 };
  expect(await store.submit(newJob("urgent", more))).toMatchObject({ waiting: { line: { ahead: 0 } } });
  await store.submit(newJob("plain", { limit, headStart: 0 }));
  await store.submit(newJob("late", { tool: "two", headStart: 0 }));
  await store.submit(newJob("early", { tool: "two", headStart: 60_000 }));
  const order: string[] = [];
  for (let n = 0; n < 8; n++) {
    const { lease } = given(await store.claim({ seconds: 15 }));
    order.push(lease.id.slice(urn("").length));
    await store.settle(lease, { state: "succeeded", result: { kind: "json", json: "1" } });
  }
  expect(order.filter((name) => ["free", "late", "early"].includes(name))).toEqual(["early", "free", "late"]);
  expect(order.filter((name) => !["free", "late", "early"].includes(name))).toEqual([
    "first",
    "urgent",
    "second",
    "third",
    "plain",
  ]);
  await store.close();
});
