import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventContext } from "tenon";

/** Longest time without a look at the signal, in milliseconds. */
const slice = 20;

/**
 * Runs a long calculation in slices: between them others get their turn, also in a process with one thread, and an
 * abort is seen. The generator yields how far it is, 0 to 1; `report` hears of every tenth as a whole percentage.
 * Resolves to what the generator returns; throws the signal's reason when it is aborted.
 */
export async function runPaced<T>(
  calculation: Generator<number, T, void>,
  signal: AbortSignal,
  report: (percent: number) => void,
): Promise<T> {
  signal.throwIfAborted();
  let reported = 0;
  let sliceEnd = performance.now() + slice;
  for (let state = calculation.next(); ; state = calculation.next()) {
    if (state.done === true) return state.value;
    const tenths = Math.floor(state.value * 10 + 1e-9);
    if (tenths > reported) report(tenths * 10);
    reported = Math.max(reported, tenths);
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    signal.throwIfAborted();
    sliceEnd = performance.now() + slice;
  }
}

/** Reports whole percentages as the step's progress. */
export function progressOf(step: EventContext): (percent: number) => void {
  return (percent) => step.info({ message: `${percent} %`, progress: percent });
}
