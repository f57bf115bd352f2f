import { expect, test } from "vitest";
import { forkJob } from "../../../../../runtime/executor/kept/fork-job.ts";

test("a fork is refused while as many jobs of its tool wait as its queue takes, and copies nothing then", async () => {
  const copied: unknown[] = [];
  const tool = { name: "ship" };
  const checked: unknown[] = [];
  const parts = (waiting: number): Parameters<typeof forkJob>[0] =>
    ({
      store: {
        counts: () => [
          { tool: "other", waiting: 100 },
          { tool: "ship", waiting },
        ],
        recall: async () => ({ steps: [], messages: [] }),
        fork: async (...given: unknown[]) => (copied.push(given), "ok"),
      },
      keeper: { find: async (id: string) => ({ id, tool }), look: () => {} },
      checkRoom: (of: unknown, count: number) => {
        checked.push([of, count]);
        if (count >= 5) throw new Error("busy");
      },
    }) as never;
  const fork = { old: { id: "urn:platform:job:1", tool } as never, from: undefined, owner: undefined };
  await expect(forkJob(parts(5), fork)).rejects.toThrow("busy");
  expect(copied).toEqual([]);
  expect(await forkJob(parts(4), fork)).toMatchObject({ tool });
  expect([copied.length, checked]).toEqual([
    1,
    [
      [tool, 5],
      [tool, 4],
    ],
  ]);
});
