import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds of one turn of work and rest. */
const period = 100;

/**
 * Keeps the processor busy for a share of the time: each tenth of a second begins with work and ends with rest.
 * Resolves to the seconds of processor time that this process has used meanwhile; throws the signal's reason when it is
 * aborted.
 */
export async function burnCpu(seconds: number, percent: number, signal: AbortSignal): Promise<number> {
  const before = process.cpuUsage();
  const end = performance.now() + seconds * 1000;
  for (let now = performance.now(); now < end; now = performance.now()) {
    signal.throwIfAborted();
    const turn = Math.min(period, end - now);
    const rest = now + (turn * percent) / 100;
    while (performance.now() < rest) Math.sqrt(Math.random());
    await sleep(Math.max(0, now + turn - performance.now()), undefined, { signal });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
