import { firstEnds } from "./first-ends.ts";
import type { StoredMessage, StoredStep, StepWrite } from "./kept-step.ts";
import type { StepBook } from "./step-book.ts";

export interface MemoryBookOptions {
  readonly steps?: readonly StoredStep[];
  readonly messages?: readonly StoredMessage[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A step record for a job that is not stored: it exists while the job runs. */
export function createMemoryBook({ steps = [], messages = [], now = Date.now }: MemoryBookOptions = {}): StepBook {
  const known = new Map(steps.map((step) => [step.key, step]));
  const ends = new Map(steps.flatMap(({ key, left }) => (left === undefined ? [] : [[key, now() + left] as const])));
  return firstEnds({
    known,
    async keep({ delay, until, took = 0, ...step }: StepWrite) {
      const startedAt = now() - took;
      known.set(step.key, { ...step, attempt: 1, startedAt, ...(step.state !== "running" && { endedAt: now() }) });
      const end = delay === undefined ? until : now() + delay;
      if (end !== undefined) ends.set(step.key, end);
    },
    message: (name) => messages.find((one) => one.name === name),
    onMessage: () => () => {},
    refresh: async () => {},
    left: async (key) => (ends.get(key) ?? Infinity) - now(),
  });
}
