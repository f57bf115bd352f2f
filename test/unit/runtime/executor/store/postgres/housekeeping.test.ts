import { expect, test } from "vitest";
import type { Statement } from "../../../../../../runtime/executor/store/postgres/connection/database.ts";
import { Housekeeping } from "../../../../../../runtime/executor/store/postgres/housekeeping.ts";
import { phase } from "../../../../../../runtime/executor/store/phase.ts";
import { statementsOf } from "../../../../../../runtime/executor/store/postgres/statements.ts";
import type { Tables } from "../../../../../../runtime/executor/store/postgres/tables.ts";

test("a call does a part of what is due, however much that is, and says that there is more", async () => {
  const sql = statementsOf("tenon");
  let due = 12_000;
  const batches: number[] = [];
  const tables = {
    sql,
    timed: async (statement: Statement) => {
      if (statement !== sql.undelay) return [];
      const batch = Math.min(due, 500);
      due -= batch;
      batches.push(batch);
      return Array.from({ length: batch }, () => ({ limit_key: null }));
    },
    query: async () => [],
  };
  const housekeeping = new Housekeeping(tables as unknown as Tables, {
    maxFinished: 10,
    perTool: new Map(),
    maxDeadLetters: 10,
    deadLetterTtl: 10,
  });
  const calls: [more: boolean, due: number][] = [];
  do calls.push([await housekeeping.reap(), due]);
  while (calls.at(-1)?.[0] === true);
  expect(calls).toEqual([
    [true, 7000],
    [true, 2000],
    [false, 0],
  ]);
  expect(batches.at(-1)).toBe(0);
});

test.each([
  ["all tools", new Map<string, number>(), [[], false]],
  ["a tool with a limit of its own", new Map([["t", 1000]]), [["t"], true]],
])(
  "a large surplus of finished jobs of %s is dropped in batches, which spare the newest jobs whatever other replicas do",
  async (_, perTool, which) => {
    const sql = statementsOf("tenon");
    let count = 6300;
    const asked: unknown[][] = [];
    const tables = {
      sql,
      timed: async () => [],
      query: async (statement: Statement, ...values: readonly unknown[]) => {
        if (statement === sql.count) return [{ count }];
        if (statement === sql.countFinishedByTool) return [{ tool: "t", count }];
        asked.push([statement, ...values]);
        const dropped = Number(statement === sql.dropSurplus ? values[3] : values[0]);
        count -= dropped;
        return Array.from({ length: dropped }, () => ({}));
      },
    };
    const housekeeping = new Housekeeping(tables as unknown as Tables, {
      maxFinished: 1000,
      perTool,
      maxDeadLetters: 10,
      deadLetterTtl: 10,
    });
    while (await housekeeping.reap());
    expect(count).toBe(1000);
    const batches = Array.from({ length: 10 }, () => [sql.dropSurplus, ...which, 1000, 500]);
    const last = perTool.size > 0 ? [sql.dropSurplus, ...which, 1000, 300] : [sql.dropOldest, 300, phase.ended];
    expect(asked).toEqual([...batches, last]);
  },
);

test("a surplus that other replicas have dropped is counted again, instead of being looked for in each round", async () => {
  const sql = statementsOf("tenon");
  let count = 630_000;
  let asked = 0;
  const tables = {
    sql,
    timed: async () => [],
    query: async (statement: Statement) => {
      if (statement === sql.count) return [{ count }];
      asked++;
      return [];
    },
  };
  const housekeeping = new Housekeeping(tables as unknown as Tables, {
    maxFinished: 1000,
    perTool: new Map(),
    maxDeadLetters: 10,
    deadLetterTtl: 10,
  });
  expect(await housekeeping.reap()).toBe(false);
  count = 1000;
  for (let round = 0; round < 10; round++) await housekeeping.reap();
  expect(asked).toBe(2);
});
