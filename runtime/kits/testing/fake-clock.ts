import { fakeClockKey } from "../../contract/process-keys.ts";
import { installFakeTimers } from "./fake-timers.ts";
import { createVirtualTime } from "./virtual-time.ts";

export interface FakeClockOptions {
  /** Initial time; default: now. */
  readonly now?: Date | string;
}

/** A clock that a test controls. */
export interface FakeClock extends Disposable {
  /** Current time of this clock. */
  now(): Date;
  /** Advances the time. Runs every timer that becomes due, in order, and the work that follows from it. */
  advance(ms: number): Promise<void>;
  /** Runs all pending work that needs no time. Does not wait for network or disk. */
  settle(): Promise<void>;
  /** Restores the real clock; `using clock = fakeClock()` does it at the end of the block. */
  restore(): void;
}

/**
 * Stops the time of this process, for tools that wait, retry or have a `@timeout`. Replaces `Date`, `performance.now`,
 * `setTimeout`, `setInterval`, `AbortSignal.timeout`, and the timers of `node:timers/promises`.
 *
 * ```ts
 * using clock = fakeClock({ now: "2026-01-01T00:00:00Z" });
 * const call = callTool(remind, { inSeconds: 60 });
 * await clock.advance(60_000);
 * expect((await call).result.sentAt).toEqual(new Date("2026-01-01T00:01:00Z"));
 * ```
 *
 * @throws TypeError when a fake clock is active already, or `now` is not a valid time
 */
export function fakeClock({ now = new Date() }: FakeClockOptions = {}): FakeClock {
  const start = new Date(now).getTime();
  if (Number.isNaN(start))
    throw new TypeError(`fakeClock: ${String(now)} is not a valid time; write 2026-01-01T00:00:00Z.`);
  const holder = globalThis as { [fakeClockKey]?: true };
  if (holder[fakeClockKey] === true) {
    throw new TypeError("There is a fake clock already; call restore() of that one, or use `using` to make it.");
  }
  const time = createVirtualTime();
  const wall = (): number => start + time.now();
  const RealDate = Date;
  const uninstall = installFakeTimers(time, wall);
  holder[fakeClockKey] = true;
  const restore = (): void => {
    if (holder[fakeClockKey] === undefined) return;
    uninstall();
    delete holder[fakeClockKey];
  };
  return {
    now: () => new RealDate(wall()),
    advance: time.advance,
    settle: time.settle,
    restore,
    [Symbol.dispose]: restore,
  };
}
