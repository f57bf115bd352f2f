import { beforeEach, expect, test } from "vitest";
import { SessionTable } from "../../../../../../runtime/fronts/mcp/sessions/session-table.ts";

let now = 0;
let ended: string[] = [];
beforeEach(() => {
  now = 0;
  ended = [];
});

const table = (most: number): SessionTable<number> =>
  new SessionTable(
    { most, idle: 100, unconfirmed: 10 },
    () => now,
    ({ id }) => ended.push(id),
  );

test("a session is found by its caller only, until it ends", () => {
  const sessions = table(10);
  expect(sessions.add({ id: "a", owner: "ada", value: 1 })).toBe(true);
  expect(sessions.use("a", "ada")?.value).toBe(1);
  expect(sessions.use("a", "eve")).toBeUndefined();
  expect(sessions.use("a", undefined)).toBeUndefined();
  expect(sessions.use("b", "ada")).toBeUndefined();
  sessions.end("a");
  sessions.end("a");
  expect([sessions.use("a", "ada"), ended]).toEqual([undefined, ["a"]]);
});

test("a session without a second request ends after seconds, and no other one with it", () => {
  const sessions = table(10);
  sessions.add({ id: "used", owner: undefined, value: 0 });
  sessions.use("used", undefined)?.release();
  sessions.add({ id: "left", owner: undefined, value: 0 });
  now = 9;
  sessions.endIdle();
  sessions.add({ id: "later", owner: undefined, value: 0 });
  expect(ended).toEqual([]);
  now = 10;
  sessions.endIdle();
  expect(ended).toEqual(["left"]);
  now = 99;
  sessions.endIdle();
  expect(ended).toEqual(["left", "later"]);
  expect(sessions.use("used", undefined)).toBeDefined();
});

test("an idle session ends, one with an open stream does not", () => {
  const sessions = table(10);
  for (const id of ["a", "b"]) sessions.add({ id, owner: undefined, value: 0 });
  const used = sessions.use("b", undefined);
  now = 100;
  sessions.endIdle();
  expect(ended).toEqual(["a"]);
  used?.release();
  used?.release();
  now = 199;
  sessions.endIdle();
  expect(sessions.use("b", undefined)).toBeDefined();
  expect(ended).toEqual(["a"]);
});

test("an idle session is not found before the next sweep either", () => {
  const sessions = table(10);
  sessions.add({ id: "a", owner: undefined, value: 0 });
  now = 100;
  expect([sessions.use("a", undefined), ended]).toEqual([undefined, ["a"]]);
});

test("a flood ends its own beginnings first, then sessions of its caller, and never one in use", () => {
  const sessions = table(3);
  for (const [id, owner] of [
    ["used", "ada"],
    ["ada", "ada"],
    ["eve", "eve"],
  ] as const)
    sessions.add({ id, owner, value: 0 });
  sessions.use("used", "ada");
  sessions.use("ada", "ada")?.release();
  for (const id of ["f1", "f2", "f3"]) expect(sessions.add({ id, owner: "eve", value: 0 })).toBe(true);
  expect(ended).toEqual(["eve", "f1", "f2"]);
  sessions.use("f3", "eve")?.release();
  expect(sessions.add({ id: "f4", owner: "eve", value: 0 })).toBe(true);
  expect(ended.at(-1)).toBe("f3");
  sessions.use("f4", "eve");
  sessions.use("ada", "ada");
  expect(sessions.add({ id: "f5", owner: "eve", value: 0 })).toBe(false);
  expect([...sessions].map(({ id }) => id).toSorted()).toEqual(["ada", "f4", "used"]);
});

test("clients that begin side by side all get to their second request, though the table is full of used sessions", () => {
  const sessions = table(80);
  const begin = (id: string): unknown => sessions.add({ id, owner: undefined, value: 0 });
  for (let used = 0; used < 80; used++) {
    begin(`used${used}`);
    sessions.use(`used${used}`, undefined)?.release();
  }
  const ids = Array.from({ length: 10 }, (_, index) => `new${index}`);
  for (const id of ids) begin(id);
  expect(ids.filter((id) => sessions.use(id, undefined) === undefined)).toEqual([]);
  // A flood of beginnings takes no more than its share.
  for (let flood = 0; flood < 1000; flood++) begin(`flood${flood}`);
  const kept = [...sessions].map(({ id }) => id);
  expect(kept.filter((id) => id.startsWith("flood"))).toHaveLength(11);
  expect([kept.length, kept.filter((id) => id.startsWith("new")).length]).toEqual([80, 10]);
});
