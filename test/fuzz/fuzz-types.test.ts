import { beforeAll, describe, expect, test } from "vitest";
import { fuzzTypes, type FuzzOutcome } from "./fuzz.ts";
import { goldenStructures, readStructures, structureFiles } from "./type-structures.ts";
import { compilerReferee } from "./compiler-referee.ts";
import { typiaValidators } from "./typia-referee.ts";

/** `npm run fuzz:types -- --pairs 1000000` looks longer; `FUZZ_SEED=1` looks again. */
const seed = Number(process.env["FUZZ_SEED"] ?? 20261120);

describe(`types of every shape (seed ${seed})`, () => {
  let structures = 0;
  let golden = 0;
  let judged = 0;
  let outcome: FuzzOutcome;

  beforeAll(() => {
    const files = structureFiles();
    const read = [...readStructures(files), ...goldenStructures()];
    const typia = typiaValidators(files);
    structures = read.length;
    golden = read.filter(({ whole }) => whole === true).length;
    judged = typia.size;
    outcome = fuzzTypes({
      structures: read,
      typia,
      compiler: compilerReferee(files),
      seed,
      pairs: 16 * structures,
      batch: 16,
    });
  });

  test("are all read, and nearly all by typia as well", () => {
    expect(structures).toBeGreaterThanOrEqual(200);
    expect(judged).toBeGreaterThanOrEqual(structures - golden - 3);
  });

  test("compiled validator, report, ajv and typia agree, and values survive", () => {
    expect(outcome.failures).toEqual([]);
    expect(outcome.pairs).toBe(16 * structures);
    expect(outcome.typia).toBeGreaterThan(outcome.pairs / 2);
    // A generator that only makes right or wrong values would prove nothing.
    expect(outcome.accepted).toBeGreaterThan(outcome.pairs / 10);
    expect(outcome.refused).toBeGreaterThan(outcome.pairs / 10);
  });
});
