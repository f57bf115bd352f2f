import type { DurableResult } from "./durable-tool.ts";
import type { Effect } from "./ledger.ts";

/** A job as its submitter saw it in the end. */
export interface EndedJob {
  readonly id: string;
  /** State that the service told. */
  readonly state: string;
  readonly steps: number;
  readonly message: number | null;
  /** The result as it was told the first time, and after a restart of everything. */
  readonly results: readonly (DurableResult | undefined)[];
}

export interface EffectReport {
  readonly lost: number;
  /** Effects that happened more than once, under the same key. */
  readonly repeated: number;
  readonly breaches: readonly string[];
}

/** Compares what jobs say they have done with what a system outside saw. */
export function checkEffects(jobs: readonly EndedJob[], effects: readonly Effect[]): EffectReport {
  const breaches: string[] = [];
  const seen = new Map<string, Map<string, number[]>>();
  const keys = new Map<string, string>();
  for (const [number, { job, step, key }] of effects.entries()) {
    const own = seen.get(job) ?? new Map<string, number[]>();
    seen.set(job, own.set(step, [...(own.get(step) ?? []), number]));
    const name = `${job} ${step}`;
    const [ofStep, ofKey] = [keys.get(name), keys.get(key)];
    if ((ofStep ?? key) !== key || (ofKey ?? name) !== name) breaches.push(`${name}: another idempotency key`);
    keys.set(name, key).set(key, name);
  }
  let lost = 0;
  let repeated = 0;
  for (const { id, state, steps, message, results } of jobs) {
    const own = seen.get(id) ?? new Map<string, number[]>();
    for (const [step, numbers] of own) {
      repeated += numbers.length - 1;
      if (step === "once" && numbers.length > 1) breaches.push(`${id}: atMostOnce, and ${numbers.length} times`);
    }
    const [first, later] = results;
    if (state !== "succeeded" || first === undefined) {
      lost += 1;
      breaches.push(`${id}: lost, ${state}`);
      continue;
    }
    if (JSON.stringify(first) !== JSON.stringify(later)) breaches.push(`${id}: another result after a restart`);
    if (first.message !== message) breaches.push(`${id}: the message ${first.message} instead of ${message}`);
    const names = ["charge", "once", "end", ...Array.from({ length: steps }, (_, key) => `ship[${key}]`)];
    for (const name of names) {
      const number = first.effects[name];
      const isKnown = number !== undefined && own.get(name)?.includes(number) === true;
      // The step did not live to tell its end, and must not run again.
      const isUnknown = name === "once" && number === -1;
      if (!isKnown && !isUnknown) breaches.push(`${id}: ${name} has the effect ${number}, which is not its own`);
    }
  }
  return { lost, repeated, breaches };
}
