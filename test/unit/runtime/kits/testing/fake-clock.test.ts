import { setTimeout as later } from "node:timers/promises";
import * as timers from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../../runtime/kits/testing/index.ts";

describe("fakeClock", () => {
  test("stands still, and moves on demand", async () => {
    using clock = fakeClock({ now: "2026-01-01T00:00:00Z" });
    expect([new Date().toISOString(), Date.now()]).toEqual(["2026-01-01T00:00:00.000Z", 1_767_225_600_000]);
    const start = performance.now();
    await clock.advance(90_000);
    expect(clock.now()).toEqual(new Date("2026-01-01T00:01:30Z"));
    expect(performance.now() - start).toBe(90_000);
    expect(new Date(0) instanceof Date && Date.UTC(1970, 0, 1)).toBe(0);
  });

  test("runs timers in their order, with what follows from them", async () => {
    using clock = fakeClock();
    const seen: string[] = [];
    setTimeout((text: string) => seen.push(text), 20, "callback");
    const off = setTimeout(() => seen.push("never"), 25);
    const every = setInterval(() => seen.push("interval"), 30);
    const wait = (async () => {
      await later(10);
      seen.push("promise");
      await timers.scheduler.wait(35);
      seen.push("wait");
    })();
    clearTimeout(off);
    await clock.advance(65);
    await wait;
    expect(seen).toEqual(["promise", "callback", "interval", "wait", "interval"]);
    clearInterval(every);
    await clock.advance(1000);
    expect(seen).toHaveLength(5);
  });

  test("serves signals, intervals and the members of a timer", async () => {
    using clock = fakeClock();
    const signal = AbortSignal.timeout(1000);
    const refreshed: number[] = [];
    const timer = setTimeout(() => refreshed.push(Date.now()), 600).unref();
    await clock.advance(500);
    timer.refresh();
    await clock.advance(500);
    expect([signal.aborted, (signal.reason as Error).name, refreshed.length]).toEqual([true, "TimeoutError", 0]);
    const aborted = later(1000, undefined, { signal: AbortSignal.abort("why") });
    await expect(aborted).rejects.toMatchObject({ name: "AbortError", code: "ABORT_ERR", cause: "why" });
    const ticks: string[] = [];
    const loop = (async () => {
      for await (const tick of timers.setInterval(10, "tick")) if (ticks.push(tick) === 3) return;
    })();
    await clock.advance(100);
    await loop;
    expect(ticks).toEqual(["tick", "tick", "tick"]);
  });

  test("gives everything back", () => {
    const before = [setTimeout, Date, timers.setTimeout, AbortSignal.timeout, Object.getOwnPropertyNames(performance)];
    fakeClock().restore();
    expect([setTimeout, Date, timers.setTimeout, AbortSignal.timeout, Object.getOwnPropertyNames(performance)]).toEqual(
      before,
    );
    expect(() => fakeClock({ now: "soon" })).toThrow("soon is not a valid time");
    using _ = fakeClock();
    expect(() => fakeClock()).toThrow("There is a fake clock already");
  });
});
