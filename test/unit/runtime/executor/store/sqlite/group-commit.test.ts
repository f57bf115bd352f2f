import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { GroupCommit } from "../../../../../../runtime/executor/store/sqlite/group-commit.ts";

/** Commits to a database in memory, with what the hooks were called for. */
function opened() {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  database.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)");
  const calls: string[] = [];
  const commits = new GroupCommit(database, {
    beforeCommit: () => calls.push("before"),
    committed: () => calls.push("committed"),
    rolledBack: () => calls.push("rolled back"),
    toError: (error) => new Error(`own: ${(error as Error).message}`),
  });
  const insert = database.prepare("INSERT INTO t VALUES (?)");
  const add = (n: number) => commits.run(() => (insert.run(n), n));
  const all = () => (database.prepare("SELECT n FROM t ORDER BY n").all() as { n: number }[]).map(({ n }) => n);
  return { commits, calls, add, all };
}

test("the operations of one turn share a commit, in order", async () => {
  const { commits, calls, add, all } = opened();
  const results = [add(1), add(2), commits.run(() => all())];
  expect(commits.empty).toBe(false);
  expect(await Promise.all(results)).toEqual([1, 2, [1, 2]]);
  expect([calls, commits.empty]).toEqual([["before", "committed"], true]);
});

test.each([
  ["of no time share a commit", 0, 1],
  ["that take a millisecond each are committed in several parts", 1, 3],
])("40 operations of one turn %s", async (_, milliseconds, parts) => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const { commits, calls } = opened();
  let count = 0;
  const operation = (): void => {
    now += milliseconds;
    count++;
  };
  await Promise.all(Array.from({ length: 40 }, () => commits.run(operation)));
  expect([count, calls.filter((call) => call === "committed").length]).toEqual([40, parts]);
});

test("an operation that fails does so alone, with the error of the store; the others are committed once", async () => {
  const { calls, add, all } = opened();
  // More than are run one by one after a failure.
  const results = await Promise.allSettled([add(0), add(0), ...Array.from({ length: 100 }, (_, n) => add(n + 1))]);
  const failed = results.flatMap((one, index) => (one.status === "rejected" ? [[index, String(one.reason)]] : []));
  expect(failed).toEqual([[1, expect.stringMatching(/^Error: own: UNIQUE/) as string]]);
  expect(all()).toEqual(Array.from({ length: 101 }, (_, n) => n));
  // One for all, one for that operation.
  expect(calls.filter((call) => call === "rolled back")).toHaveLength(2);
  // 63 alone, and the last 38 together.
  expect(calls.filter((call) => call === "committed")).toHaveLength(64);
});

test("one operation that fails is not tried again", async () => {
  const { commits, calls } = opened();
  let tries = 0;
  const failing = commits.run(() => {
    tries++;
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("own: no");
  expect([tries, calls]).toEqual([1, ["rolled back"]]);
});

test("whoever waits until nothing is pending waits for all, and for nothing where there is nothing", async () => {
  const { commits, add, all } = opened();
  await commits.drained();
  void add(1);
  const drained = commits.drained();
  void add(2);
  await drained;
  expect([all(), commits.empty]).toEqual([[1, 2], true]);
});
