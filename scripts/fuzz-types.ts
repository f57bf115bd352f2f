/**
 * `npm run fuzz:types -- [--pairs 1000000] [--seed N]`: types of every shape against generated, mutated and invalid
 * values. Compiled validator, report, ajv on the full schema and typia's own validator must agree; otherwise the exit
 * code is 1.
 */
import { parseArgs } from "node:util";
import { fuzzTypes } from "../test/fuzz/fuzz.ts";
import { goldenStructures, readStructures, structureFiles } from "../test/fuzz/type-structures.ts";
import { typiaValidators } from "../test/fuzz/typia-referee.ts";

const { values } = parseArgs({ options: { pairs: { type: "string" }, seed: { type: "string" } } });
const pairs = Number(values.pairs ?? 50_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const files = structureFiles();
const structures = [...readStructures(files), ...goldenStructures()];
const typia = typiaValidators(files);
console.log(`${structures.length} structures, ${typia.size} of them judged by typia; seed ${seed}`);
const start = performance.now();
const outcome = fuzzTypes({ structures, typia, seed, pairs });
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(
  `${outcome.pairs} pairs in ${seconds} s: ${outcome.accepted} accepted, ${outcome.refused} refused, ${outcome.typia} judged by typia`,
);
for (const [reason, count] of outcome.explained) console.log(`  ${count} differences: ${reason}`);
for (const { name, value, what } of outcome.failures) console.error(`${name}: ${what}\n  ${JSON.stringify(value)}`);
console.log(`${outcome.failures.length} disagreements that nothing explains`);
process.exitCode = outcome.failures.length === 0 ? 0 : 1;
