import { expect, test } from "vitest";
import { jsonSafe, jsonSafeFields } from "../../../../runtime/base/json-safe.ts";
import { processorTime } from "../../../support/processor-time.ts";

/** Groups and users that name each other, as an ORM loads them. */
function related(groups: number, users: number): object {
  const all = Array.from({ length: groups }, (_, id) => ({ id, users: [] as object[] }));
  const members = Array.from({ length: users }, (_, id) => ({ id, groups: all }));
  for (const group of all) group.users = members;
  return { user: members[0] };
}

test("a graph of objects costs little time and text", () => {
  const before = processorTime();
  for (const copy of [jsonSafe, jsonSafeFields])
    expect(JSON.stringify(copy(related(20, 100))).length).toBeLessThan(2_000_000);
  expect(processorTime() - before).toBeLessThan(3000);
});

test("a large tree is copied as it is, and objects that occur several times in a small value", () => {
  const tree = { rows: Array.from({ length: 30_000 }, (_, id) => ({ id, at: { id } })) };
  expect(jsonSafeFields(tree)).toEqual(tree);
  const shared = { a: 1 };
  expect(jsonSafe([shared, shared, { shared }])).toEqual([shared, shared, { shared }]);
});
