import fc from "fast-check";
import { compareModels } from "../../cli/contracts/compare-models.ts";
import { openSide } from "../../cli/contracts/schemas/side.ts";
import { openValues } from "../../cli/contracts/schemas/values.ts";
import type { Finding } from "../../cli/contracts/finding.ts";
import { fullSchema } from "../../plugin/emit/schema/json-schema.ts";
import type { JsonSchema } from "../../runtime/contract/contract.ts";
import { reportProblems } from "../../runtime/contract/validation/report/report.ts";
import { typeCases } from "../unit/plugin/emit/arbitrary-type.ts";
import { anyWire, mutated, wireOf } from "../unit/plugin/emit/arbitrary-wire.ts";
import { referee } from "../unit/plugin/emit/referee.ts";
import { mutateSchema } from "./mutate-schema.ts";

export interface ContractFuzz {
  readonly seed: number;
  /** Number of (schema, mutated schema, value) triples at least. */
  readonly triples: number;
}

export interface ContractOutcome {
  readonly triples: number;
  readonly pairs: number;
  /** Breaking findings; ajv accepts the witness of each on one side and refuses it on the other. */
  readonly breaking: number;
  /** Triples whose value one schema accepts and the other refuses. */
  readonly broken: number;
  /** Pairs with such a value whose only finding is a suspicion without proof. */
  readonly unproven: number;
  readonly failures: readonly string[];
}

const valuesOfPair = 60;
const cases = typeCases.chain((typeCase) =>
  fc.record({
    typeCase: fc.constant(typeCase),
    numbers: fc.array(fc.nat(1000), { minLength: 3, maxLength: 9 }),
    direction: fc.constantFrom("request" as const, "result" as const),
    values: fc.array(fc.oneof(wireOf(typeCase), mutated(wireOf(typeCase)), anyWire), {
      minLength: valuesOfPair,
      maxLength: valuesOfPair,
    }),
  }),
);

/**
 * Compares schemas of random types with mutated ones and tries values on both, with ajv as the judge: the witness of
 * each breaking finding must be one, and no value may break without a finding.
 */
export function fuzzContracts({ seed, triples: wanted }: ContractFuzz): ContractOutcome {
  const outcome = { triples: 0, pairs: 0, breaking: 0, broken: 0, unproven: 0, failures: [] as string[] };
  const batch = 100;
  for (let round = 0; outcome.triples < wanted; round++) {
    for (const one of fc.sample(cases, { numRuns: batch, seed: seed + round })) {
      if (outcome.triples >= wanted) break;
      const model = fullSchema(
        one.typeCase.type,
        one.typeCase.definitions,
        one.direction === "request" ? "input" : "output",
      );
      tryPair(model, mutateSchema(model, one.numbers), one.direction, one.values, outcome);
    }
  }
  return outcome;
}

type Counts = { -readonly [K in keyof ContractOutcome]: ContractOutcome[K] } & { failures: string[] };

function tryPair(
  first: JsonSchema,
  second: JsonSchema,
  direction: "request" | "result",
  given: readonly unknown[],
  counts: Counts,
): void {
  // The accepting schema of a request is the old one, of a result the new one.
  const [before, after] = direction === "request" ? [first, second] : [second, first];
  const [accepts, refuses] = [referee(first), referee(second)];
  const findings = compareModels("probe", direction, before, after);
  const told = JSON.stringify({ direction, before, after });
  counts.pairs++;
  for (const { severity, witness, place, rule } of findings) {
    if (severity !== "breaking") continue;
    counts.breaking++;
    if (witness === undefined) counts.failures.push(`no witness: ${place} ${rule} ${told}`);
    else if (!accepts(witness.value) || refuses(witness.value)) {
      counts.failures.push(`wrong witness: ${place} ${rule} ${JSON.stringify(witness.value)} ${told}`);
    }
  }
  const side = openSide(first);
  const own = openValues(side)(side.root);
  let isUnproven = false;
  for (const value of [...given, ...own]) {
    counts.triples++;
    if (!accepts(value) || refuses(value) || reportProblems(first, value, { strict: true }).length > 0) continue;
    counts.broken++;
    if (findings.some((one) => one.severity === "breaking")) continue;
    if (findings.some(isSuspicion)) isUnproven = true;
    else counts.failures.push(`no finding: ${JSON.stringify(value)} ${told}`);
  }
  if (isUnproven) counts.unproven++;
}

function isSuspicion({ severity, message }: Finding): boolean {
  return severity === "behaviour" && message.includes("no value was found");
}
