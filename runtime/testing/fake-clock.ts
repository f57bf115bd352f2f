import { installFakeTimers } from "./fake-timers.ts";
import { createVirtualTime } from "./virtual-time.ts";

export interface FakeClockOptions {
  /** What time it is at first; default: now. */
  readonly now?: Date | string;
}

/** Time under the control of a test. */
export interface FakeClock extends Disposable {
  /** What time it is. */
  now(): Date;
  /** Lets time pass: every timer that is due until then runs in its order, and what follows from it. */
  advance(ms: number): Promise<void>;
  /** Lets everything happen that needs no time. Work that needs the network or the disk is not waited for. */
  settle(): Promise<void>;
  /** Gives the process its own time back; `using clock = fakeClock()` does it at the end of the block. */
  restore(): void;
}

const key: unique symbol = Symbol.for("tenon.fakeClock");

/**
 * Stops the time of this process, for tools that wait, try again later or have a `@timeout`: `Date`, `performance.now`,
 * `setTimeout`, `setInterval`, `AbortSignal.timeout`, and those of `node:timers/promises`.
 *
 * ```ts
 * using clock = fakeClock({ now: "2026-01-01T00:00:00Z" });
 * const call = callTool(remind, { inSeconds: 60 });
 * await clock.advance(60_000);
 * expect((await call).result.sentAt).toEqual(new Date("2026-01-01T00:01:00Z"));
 * ```
 *
 * @throws TypeError when there is one already, or `now` is no time
 */
export function fakeClock({ now = new Date() }: FakeClockOptions = {}): FakeClock {
  const start = new Date(now).getTime();
  if (Number.isNaN(start)) throw new TypeError(`fakeClock: ${String(now)} is no time; write 2026-01-01T00:00:00Z.`);
  const holder = globalThis as { [key]?: true };
  if (holder[key] === true) {
    throw new TypeError("There is a fake clock already; call restore() of that one, or use `using` to make it.");
  }
  const time = createVirtualTime();
  const wall = (): number => start + time.now();
  const RealDate = Date;
  const uninstall = installFakeTimers(time, wall);
  holder[key] = true;
  const restore = (): void => {
    if (holder[key] === undefined) return;
    uninstall();
    delete holder[key];
  };
  return {
    now: () => new RealDate(wall()),
    advance: time.advance,
    settle: time.settle,
    restore,
    [Symbol.dispose]: restore,
  };
}
