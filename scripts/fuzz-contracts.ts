/**
 * `npm run fuzz:contracts -- [--triples 1000000] [--seed N]`: schemas of random types, mutated ones and values. The
 * witness of each breaking finding of `tenon check --against` must be accepted by one schema and refused by the other, and
 * no value may break without a finding; ajv judges. Exits with 1 when anything is wrong.
 */
import { parseArgs } from "node:util";
import { fuzzContracts } from "../test/fuzz/contracts.ts";

const { values } = parseArgs({ options: { triples: { type: "string" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const start = performance.now();
const { failures, ...counts } = fuzzContracts({ seed, triples: Number(values.triples ?? 1_000_000) });
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(`seed ${seed}, ${seconds} s`);
for (const [name, count] of Object.entries(counts)) console.log(`  ${count} ${name}`);
for (const failure of failures.slice(0, 20)) console.error(failure);
console.log(`${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
