import { afterEach, expect, test, vi } from "vitest";
import { ToolError } from "../../../../../runtime/base/errors.ts";
import { untilAnswered } from "../../../../../runtime/executor/store/until-answered.ts";

afterEach(() => vi.restoreAllMocks());

const away = new ToolError("overloaded", "away");

test("a call is repeated while the server cannot be reached, and its answer counts", async () => {
  const run = vi.fn<() => Promise<number>>(async () => 1).mockRejectedValueOnce(away);
  expect(await untilAnswered(run, () => false)).toBe(1);
  expect(run.mock.calls.length).toBe(2);
});

test.each([
  ["another error", new ToolError("draining", "closed"), false, 0],
  ["nobody needs the answer", away, true, 0],
  ["five minutes are over", away, false, 300_001],
])("when %s, the call is not repeated", async (_, error, isOver, passed) => {
  const now = performance.now();
  vi.spyOn(performance, "now")
    .mockReturnValueOnce(now)
    .mockReturnValue(now + passed);
  const run = vi.fn<() => Promise<number>>().mockRejectedValue(error);
  await expect(untilAnswered(run, () => isOver)).rejects.toBe(error);
  expect(run.mock.calls.length).toBe(1);
});

test("a signal ends the pause between two calls", async () => {
  const closed = new AbortController();
  closed.abort();
  const run = vi.fn<() => Promise<number>>().mockRejectedValue(away);
  let calls = 0;
  await expect(untilAnswered(run, () => ++calls > 1, closed.signal)).rejects.toBe(away);
  expect(run.mock.calls.length).toBe(2);
});
