import { expect, test } from "vitest";
import { fuzzContracts } from "./contracts.ts";

/** `npm run fuzz:contracts` looks a thousand times longer; `FUZZ_SEED=1` looks again. */
const seed = Number(process.env["FUZZ_SEED"] ?? 20261122);

test(`no finding contradicts ajv, and nothing breaks without one (seed ${seed})`, () => {
  const outcome = fuzzContracts({ seed, triples: 5000 });
  expect(outcome.failures).toEqual([]);
  // A generator that changes nothing, or nothing that matters, would prove nothing.
  expect(outcome.breaking).toBeGreaterThan(outcome.pairs / 4);
  expect(outcome.broken).toBeGreaterThan(outcome.triples / 50);
  expect(outcome.unproven).toBeLessThan(outcome.pairs / 10);
});
