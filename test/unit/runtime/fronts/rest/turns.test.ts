import { expect, test } from "vitest";
import { createTurns } from "../../../../../runtime/fronts/rest/turns.ts";
import { fakeExchange } from "../../../../support/fake-exchange.ts";
import { deferred } from "../../../../support/fake-tool.ts";

test("requests have their turns one at a time, and everything else has some between them", async () => {
  const events: string[] = [];
  const task = async (): Promise<void> => {
    events.push("begin");
    await Promise.resolve();
    events.push("end");
  };
  const turns = createTurns();
  let working = true;
  const work = (): void => {
    if (events.at(-1) === "end") events.push("other work");
    if (working) setImmediate(work);
  };
  work();
  await Promise.all([1, 2].map(() => turns(fakeExchange().exchange, task)));
  working = false;
  expect(events).toEqual(["begin", "end", "other work", "begin", "end"]);
});

test("a caller who has left gives up its turn, and beyond a thousand that wait, others are refused", async () => {
  const held = deferred();
  let run = 0;
  const task = (): Promise<void> => {
    run++;
    return held.promise;
  };
  const turns = createTurns();
  const first = turns(fakeExchange().exchange, task);
  const waiting = Array.from({ length: 999 }, () => {
    const { exchange, leave } = fakeExchange();
    const answer = turns(exchange, task);
    leave();
    return answer;
  });
  await expect(turns(fakeExchange().exchange, task)).rejects.toMatchObject({ kind: "overloaded" });
  held.resolve();
  const [end, ...others] = await Promise.allSettled([first, ...waiting]);
  expect(end?.status).toBe("fulfilled");
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(run).toBe(1);
});
