import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ToolError } from "../../../../../../runtime/base/errors.ts";
import { openSqliteStore } from "../../../../../../runtime/executor/store/sqlite/sqlite.ts";
import { loadSqlite } from "../../../../../../runtime/executor/store/sqlite/load-sqlite.ts";
import { StoreError } from "../../../../../../runtime/executor/store/store-error.ts";
import { given, newJob, urn } from "../conformance.ts";
import { sqlitePlace, type SqlitePlace } from "../sqlite-place.ts";

const owner = fileURLToPath(new URL("child-owner.ts", import.meta.url));

let place: SqlitePlace;
const children: ChildProcess[] = [];
beforeEach(() => {
  place = sqlitePlace();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  place.remove();
});

function refused(path: string): string {
  try {
    void openSqliteStore(path).close();
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
  throw new Error("the store was opened");
}

/** Another process that tries to open the file; the answer is what it says. */
async function otherProcess(file: string): Promise<{ readonly child: ChildProcess; readonly says: string }> {
  const child = spawn(process.execPath, [owner, file], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  return { child, says: chunk.toString().trim() };
}

describe("one owner per file", () => {
  test("a second process is told who owns the file; when the owner dies the file is free", async () => {
    const { child, says } = await otherProcess(place.file);
    expect(says).toBe("open");
    const since = (JSON.parse(readFileSync(`${place.file}-owner`, "utf8")) as { since: string }).since;
    expect(refused(place.file)).toBe(
      `${place.file} is in use by process ${child.pid} on ${hostname()} since ${since}. ` +
        "A store file has one owner at a time: stop that process, or give this one another file.",
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(existsSync(`${place.file}-owner`)).toBe(true);
    const store = place.open();
    expect((await otherProcess(place.file)).says).toContain(`is in use by process ${process.pid} on`);
    await store.close();
    expect(existsSync(`${place.file}-owner`)).toBe(false);
  });

  test("a pid in the owner file that some other process has by now keeps nobody out", async () => {
    await place.open().close();
    writeFileSync(`${place.file}-owner`, JSON.stringify({ pid: process.ppid, host: hostname(), since: "2026" }));
    const store = place.open();
    expect(await store.submit(newJob("a"))).toEqual({ kind: "created" });
    await store.close();
  });

  test("the same process cannot open a file twice, and the first store goes on", async () => {
    const store = place.open();
    const link = join(place.folder, "link.db");
    symlinkSync(place.file, link);
    for (const path of [place.file, link]) {
      expect(refused(path)).toBe(
        `${place.file} is open in this process already (pid ${process.pid}). Close it first, or use the store that is open.`,
      );
    }
    await store.submit(newJob("a"));
    // The refusals must not have given up the lock.
    expect((await otherProcess(place.file)).says).toContain("StoreError: ");
    await store.close();
  });

  test("without a readable owner file the text still says what to do", async () => {
    const store = place.open();
    for (const text of ["{", "{}", '{"pid":1,"host":"here"}', '{"pid":"1","host":"here","since":"2026"}']) {
      writeFileSync(`${place.file}-owner`, text);
      expect(refused(place.file)).toBe(
        `${place.file} is in use by another process. ` +
          "A store file has one owner at a time: stop that process, or give this one another file.",
      );
    }
    await store.close();
  });

  test("of four that start at once exactly one gets the file", async () => {
    const said = await Promise.all([1, 2, 3, 4].map(async () => (await otherProcess(place.file)).says));
    expect(said.filter((text) => text === "open")).toHaveLength(1);
    expect(said.filter((text) => text.startsWith(`StoreError: ${place.file} is in use by`))).toHaveLength(3);
  });
});

describe("files that cannot be used", () => {
  test("a directory", () => {
    expect(refused(place.folder)).toBe(
      `${place.folder} is a directory. Give a file, for example ${join(place.folder, "jobs.db")}.`,
    );
  });

  test("a file that is no database, which is left as it is", () => {
    writeFileSync(place.file, "These are my notes.\n".repeat(100));
    expect(refused(place.file)).toBe(`${place.file} is not a SQLite database. Give another file, or move it away.`);
    expect(readFileSync(place.file, "utf8")).toBe("These are my notes.\n".repeat(100));
  });

  test("another program's database, which is left as it is", () => {
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(place.file);
    database.exec("CREATE TABLE notes (text TEXT)");
    database.close();
    const before = readFileSync(place.file);
    expect(refused(place.file)).toBe(
      `${place.file} is a database of another program, and was left alone. Give another file.`,
    );
    expect(readFileSync(place.file).equals(before)).toBe(true);
  });

  test("a file of a later version", async () => {
    await place.open().close();
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(place.file);
    database.exec("PRAGMA user_version = 99");
    database.close();
    expect(refused(place.file)).toBe(
      `${place.file} was written by a later version of tenon: its format is 99, this one knows up to 10. ` +
        "Update tenon, or give another file.",
    );
  });

  test("a damaged file", async () => {
    const store = place.open();
    await Promise.all(
      Array.from({ length: 300 }, (_, at) => store.submit(newJob(`j${at}`, { input: "x".repeat(900) }))),
    );
    await store.close();
    const bytes = readFileSync(place.file);
    writeFileSync(place.file, bytes.fill(0xa5, 3 * 4096, bytes.length - 4096));
    expect(refused(place.file)).toBe(
      `${place.file} is damaged. Restore a backup, or move it away to start with an empty one.`,
    );
    truncateSync(place.file, 5000);
    expect(refused(place.file)).toBe(
      `${place.file} is damaged. Restore a backup, or move it away to start with an empty one.`,
    );
  });

  test("a link to nothing", () => {
    const path = join(place.folder, "link.db");
    symlinkSync(join(place.folder, "missing", "jobs.db"), path);
    expect(refused(path)).toBe(`${path} is a link to a file that does not exist. Make that file, or give another one.`);
  });

  test("a path below a file", () => {
    writeFileSync(join(place.folder, "file"), "");
    const path = join(place.folder, "file", "jobs.db");
    expect(refused(path)).toBe(`The store file ${path} cannot be used: a part of its path is not a directory.`);
  });

  test.skipIf(process.platform !== "linux")("a folder that nobody may write to, a device", () => {
    expect(refused("/proc/tenon/deep/jobs.db")).toBe(
      "The store file /proc/tenon/deep/jobs.db cannot be used: a folder of its path cannot be made.",
    );
    expect(refused("/dev/null")).toBe("/dev/null is not a regular file. Give another one.");
  });

  test.skipIf(process.getuid?.() === 0)("a folder and a file that are read-only (root may write all)", async () => {
    const folder = join(place.folder, "closed");
    mkdirSync(folder);
    const known = join(folder, "known.db");
    await openSqliteStore(known).close();
    chmodSync(folder, 0o500);
    for (const path of [known, join(folder, "new.db"), join(folder, "deep", "new.db")]) {
      expect(refused(path)).toBe(`The store file ${path} cannot be used: this process may not write there.`);
    }
    chmodSync(folder, 0o700);
    chmodSync(known, 0o400);
    expect(refused(known)).toBe(`The store file ${known} cannot be used: this process may not write there.`);
  });

  test("missing folders are made, and the file is only its owner's to read", async () => {
    const path = join(place.folder, "a", "b", "jobs.db");
    await openSqliteStore(path).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("an empty file is taken as a new one", async () => {
    writeFileSync(place.file, "");
    const store = place.open();
    expect(await store.submit(newJob("a"))).toEqual({ kind: "created" });
    await store.close();
  });
});

test("a large surplus of finished jobs, as after the limit was lowered, is dropped in parts, and all with one round", async () => {
  const ids = Array.from({ length: 6000 }, (_, at) => urn(`j${at}`));
  const first = place.open();
  await Promise.all(ids.map((id) => first.submit(newJob("j", { id }))));
  await Promise.all(ids.map((id) => first.cancel(id, "enough")));
  await first.close();
  const store = place.open({ maxFinished: 10 });
  const left = async (): Promise<number> => {
    const records = await Promise.all(ids.map((id) => store.get(id)));
    return records.filter((record) => record !== undefined).length;
  };
  await store.submit(newJob("next"));
  expect(await left()).toBe(1000);
  await store.reap();
  expect(await left()).toBe(10);
  await store.close();
});

describe("failures while it is open", () => {
  test("no room: new jobs are refused as overloaded, what is there stays, and work goes on when there is room", async () => {
    const store = place.open({ maxBytes: 200_000 });
    await store.submit(newJob("first"));
    const { lease } = given(await store.claim({ seconds: 15 }));
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, (_, at) => store.submit(newJob(`j${at}`, { input: "x".repeat(5000) }))),
    );
    const errors = answers.filter((answer) => answer.status === "rejected").map(({ reason }) => reason as unknown);
    expect(errors.length).toBeGreaterThan(50);
    expect(errors.length).toBeLessThan(90);
    const [error] = errors;
    if (!(error instanceof ToolError)) throw new Error("no ToolError");
    expect([error.kind, error.message, error.retryAfter]).toEqual([
      "overloaded",
      "The service has no room for more jobs. Try again later.",
      30,
    ]);
    expect(String(error.cause)).toBe(
      `Error: The job store ${place.file} cannot grow: the disk, or the store's limit, is full.`,
    );
    // Each was answered truly.
    for (const [at, { status }] of answers.entries()) {
      expect((await store.get(urn(`j${at}`))) !== undefined).toBe(status === "fulfilled");
    }
    expect(await store.cancel(urn("j0"), "make room")).toBe("ok");
    expect(await store.settle(lease, { state: "succeeded", result: { kind: "json", json: "1" } })).toBe("ok");
    await store.close();
  });

  test("one bad call does not take those of the same turn with it", async () => {
    const store = place.open();
    const good = store.submit(newJob("a"));
    const bad = store.submit(newJob("b", { tool: undefined as unknown as string }));
    const alsoGood = store.submit(newJob("c"));
    await expect(bad).rejects.toThrow(
      new ToolError("system", "The job store failed. The service's log has the reason."),
    );
    expect([await good, await alsoGood]).toEqual([{ kind: "created" }, { kind: "created" }]);
    await store.close();
  });

  test("what is known of the keys of limits is true behind a rollback, and behind a restart", async () => {
    const limit = { key: "one a", jobs: 1, retryAfter: 3 };
    let store = place.open();
    const ran = store.submit(newJob("a", { limit }), 15);
    const bad = store.submit(newJob("bad", { limit, tool: undefined as unknown as string }));
    const held = store.submit(newJob("b", { limit }));
    await expect(bad).rejects.toThrow(ToolError);
    const first = await ran;
    expect(await held).toMatchObject({ waiting: { line: { ahead: 0 } } });
    if (first.kind !== "created" || first.lease === undefined) throw new Error("the job has no lease");
    const done = { state: "succeeded", result: { kind: "json", json: "1" } } as const;
    const end = store.settle(first.lease, done);
    await expect(store.submit(newJob("bad", { tool: undefined as unknown as string }))).rejects.toThrow(ToolError);
    expect(await end).toBe("ok");
    const next = given(await store.claim({ seconds: 15, tools: ["one"] }));
    expect(next.job.id).toBe(urn("b"));
    await store.submit(newJob("c", { limit }));
    await store.close();
    store = place.open();
    expect(await store.submit(newJob("d", { limit }))).toMatchObject({ waiting: { line: { ahead: 1 } } });
    expect(await store.submit(newJob("x", { limit: { ...limit, key: "one b" } }), 15)).toHaveProperty("lease");
    await store.settle(next.lease, done);
    expect(given(await store.claim({ seconds: 15, tools: ["one"] })).job.id).toBe(urn("c"));
    expect(await store.claim({ seconds: 15, tools: ["one"] })).toBeUndefined();
    await store.close();
  });

  test("a result over the limit is refused, and the job goes on", async () => {
    const store = place.open();
    await store.submit(newJob("a"));
    const { lease } = given(await store.claim({ seconds: 15 }));
    const text = "x".repeat(6 * 1024 * 1024 + 1);
    await expect(store.settle(lease, { state: "succeeded", result: { kind: "text", text } })).rejects.toThrow(
      "The result is larger than the limit of 6291456 bytes. Store a large result as an artifact.",
    );
    expect(await store.renew(lease, 15)).toBe("ok");
    await store.close();
  });

  test("a closed store says that the service is stopping; closing twice is closing once", async () => {
    const store = place.open();
    await Promise.all([store.close(), store.close()]);
    for (const call of [store.submit(newJob("a")), store.get(urn("a")), store.reap()]) {
      await expect(call).rejects.toThrow("The service is stopping. Try again in a moment.");
    }
  });
});

test("nothing is said on stderr by loading node:sqlite, and other warnings still are", () => {
  const script = `await import(${JSON.stringify(owner)}); process.emitWarning("mine");`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      script.replace("await import", `process.argv.splice(1, 0, "x"); await import`),
      "--",
      place.file,
      "no",
    ],
    { encoding: "utf8" },
  );
  expect(stdout).toBe("open\n");
  expect(stderr).toContain("Warning: mine");
  expect(stderr).not.toContain("SQLite");
});
